import { isStrongPassword } from './password.ts';
import { EmailTakenError, isEmail, type NewUser, type User, type UserStore } from './users.ts';
import type { Verification } from './verification.ts';

/** A refused sign-up with Auth0's error. */
interface SignUpRefusal {
  name: 'BadRequestError' | 'PasswordStrengthError';
  code: 'user_exists' | 'invalid_password' | 'invalid_email';
  description: string;
  statusCode: 400;
}

type SignUpResult = { user: User } | { refusal: SignUpRefusal };

const refuse = (
  code: SignUpRefusal['code'],
  description: string,
  name: SignUpRefusal['name'] = 'BadRequestError',
): SignUpResult => ({ refusal: { name, code, description, statusCode: 400 } });

/** Returns a function that creates an account and mails the verification link, for the sign-up endpoint and page. */
export const createSignUp =
  (users: UserStore, verification: Verification) =>
  async (input: Omit<NewUser, 'email_verified'>): Promise<SignUpResult> => {
    if (!isEmail(input.email.trim())) return refuse('invalid_email', 'The email address is not valid.');
    if (!isStrongPassword(input.password))
      return refuse('invalid_password', 'Password is too weak', 'PasswordStrengthError');
    try {
      const user = await users.create({ ...input, email_verified: false });
      await verification.sendLink(user);
      return { user };
    } catch (error) {
      if (error instanceof EmailTakenError) return refuse('user_exists', 'The user already exists.');
      throw error;
    }
  };

export type SignUpAccount = ReturnType<typeof createSignUp>;
