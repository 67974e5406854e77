/** An invitation to make an account, as the service's admins see it. */
export interface Invitation {
  invitation_id: string;
  email: string;
  status: "pending" | "accepted" | "revoked" | "expired";
  mailed: boolean;
  created_at: string;
  expires_at: string;
}

/** The one answer that may carry the link: where it was not mailed. */
export interface CreatedInvitation extends Invitation {
  link: string | null;
}
