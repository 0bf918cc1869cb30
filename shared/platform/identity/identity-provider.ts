/** A user of the identity provider. */
export interface IdentityUser {
  /** The provider's user id, `auth0|…`; kept as `auth0_id`. */
  subject: string;
  email: string;
  email_verified: boolean;
  full_name?: string;
  phone?: string;
  /** When the password was last replaced through a mailed link; absent: it is the first one. */
  last_password_reset?: string;
}

export interface SignUp {
  email: string;
  password: string;
  full_name: string;
  phone?: string;
  /** As of a login. */
  clientIp?: string;
}

interface PasswordLogin {
  email: string;
  password: string;
  /** The customer's IP address, so that the provider's brute-force protection counts customers. */
  clientIp?: string;
}

export interface IssuedTokens {
  access_token: string;
  id_token?: string;
  token_type: 'Bearer';
  expires_in: number;
}

/**
 * The client of an identity provider (D11). Every method throws RATE_LIMIT_EXCEEDED if the provider limits the service,
 * IDENTITY_PROVIDER_UNAVAILABLE if it does not answer, and the errors named at the method.
 */
export interface IdentityProvider {
  /** Returns the user, or undefined if the provider does not know the subject. */
  readUser(subject: string): Promise<IdentityUser | undefined>;
  /** Returns the user of the password connection with this e-mail. */
  findUserByEmail(email: string): Promise<IdentityUser | undefined>;
  /** Creates the account; the provider mails the verification link. CUSTOMER_ALREADY_EXISTS, VALIDATION_ERROR. */
  signUp(input: SignUp): Promise<IdentityUser>;
  /** INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, FORBIDDEN (blocked, or a second factor is needed). */
  passwordLogin(input: PasswordLogin): Promise<IssuedTokens>;
  /** Throws NOT_FOUND if the provider does not know the subject. */
  sendVerificationEmail(subject: string): Promise<void>;
  /** Deletes the account; one that the provider does not know is deleted already. For the operator. */
  deleteUser(subject: string): Promise<void>;
  /** Mails a link to set a new password, if there is an account. The response does not say whether there is. */
  sendPasswordReset(email: string): Promise<void>;
}
