/** Who is signed in, as the frame of the pages shows it. */
export interface ShellUser {
  email: string;
  name: string;
}
