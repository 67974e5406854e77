import { Alert } from "@/components/ui/alert";

const PROBLEMS: Record<string, { title: string; text: string }> = {
  AddressTaken: {
    title: "This address has an account already",
    text: "It was made another way, and is not handed over. Sign in as before, with its password.",
  },
  NoVerifiedAddress: {
    title: "No verified e-mail address",
    text: "The provider does not vouch for an e-mail address of yours. Verify one there, then try again, or sign up with a password.",
  },
  ForeignOrigin: {
    title: "You came from another address",
    text: "That page was not at the console's own address. You are at the right one now: sign in here.",
  },
  SignUpClosed: {
    title: "You have no account here",
    text: "Signing up needs an invitation, or is closed. Ask an admin of this service, then come back the same way.",
  },
  TooManySignUps: {
    title: "Too many new accounts from here",
    text: "Several accounts were made from your network within an hour. Try again later.",
  },
  AccessDenied: { title: "You were not signed in", text: "The provider did not let you through, or you turned back. Try again." },
};
const OTHER = {
  title: "Signing in did not work",
  text: "The provider could not be reached, or its answer could not be used. Try again in a moment.",
};

/** Why signing in through a provider came to nothing. */
export function ProviderProblem({ code }: { code: string }) {
  const { title, text } = Object.hasOwn(PROBLEMS, code) ? (PROBLEMS[code] ?? OTHER) : OTHER;
  return (
    <Alert tone="danger" title={title} alert className="mb-5">
      {text}
    </Alert>
  );
}
