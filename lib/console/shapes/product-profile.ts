/** Persona and brand of the account's product, as `/v1/product-profile` answers it (contract §11). */
export interface ProductProfile {
  name: string | null;
  tagline: string | null;
  description: string | null;
  audience: string | null;
  tone: string | null;
  instructions: string | null;
  brand: { colors: string[]; logo_url: string | null };
  links: (string | ProfileLink)[];
}

/** A link with texts of the owner's own, such as `title`. */
export interface ProfileLink {
  url: string;
  [text: string]: string | null;
}
