/** A person as the identity provider knows them. */
export interface IdentityUser {
  /** The provider's user id, `auth0|…`; kept as `auth0_id`. */
  subject: string;
  email: string;
  email_verified: boolean;
  full_name?: string;
  phone?: string;
}

export interface SignUp {
  email: string;
  password: string;
  full_name: string;
  phone?: string;
}

export interface PasswordLogin {
  email: string;
  password: string;
  /** The customer's address, so that the provider's brute-force limit counts customers, not the partner. */
  clientIp?: string;
}

export interface IssuedTokens {
  access_token: string;
  id_token?: string;
  token_type: 'Bearer';
  expires_in: number;
}

/**
 * What the service asks of an identity provider (D11). Every method throws ServiceErrors: RATE_LIMIT_EXCEEDED when the
 * provider limits us, IDENTITY_PROVIDER_UNAVAILABLE when it does not answer, and those named at the method.
 */
export interface IdentityProvider {
  /** The user, or undefined when the provider does not know the subject. */
  readUser(subject: string): Promise<IdentityUser | undefined>;
  /** The user of the password connection with this e-mail. */
  findUserByEmail(email: string): Promise<IdentityUser | undefined>;
  /** Creates the account; the provider mails the verification link. CUSTOMER_ALREADY_EXISTS, VALIDATION_ERROR. */
  signUp(input: SignUp): Promise<IdentityUser>;
  /** INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, FORBIDDEN (blocked, or a second factor is needed). */
  passwordLogin(input: PasswordLogin): Promise<IssuedTokens>;
  /** NOT_FOUND when the provider does not know the subject. */
  sendVerificationEmail(subject: string): Promise<void>;
  /** Mails a link to set a new password, if there is an account; the caller is not told whether there is. */
  sendPasswordReset(email: string): Promise<void>;
}
