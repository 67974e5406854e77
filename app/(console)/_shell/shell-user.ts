/** Who is signed in, as the frame of the pages shows it. */
export interface ShellUser {
  email: string;
  name: string;
  /** May change other accounts. */
  isAdmin: boolean;
  /** Stands on the super-agent's allowlist. */
  mayUseSuperAgent: boolean;
}
