import type { ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { errors as oidcErrors } from 'oidc-provider';
import { type Exchange, readFields, redirect, sendHtml, textField } from './http.ts';
import type { Login, LoginRefusal } from './login.ts';
import type { PasswordReset } from './password-reset.ts';
import type { SecondFactor } from './second-factor.ts';
import { codePage, forgottenPage, loginPage, messagePage, newPasswordPage, signUpPage } from './pages.ts';
import type { SignUpAccount } from './sign-up.ts';
import type { Verification } from './verification.ts';

export interface PageSettings {
  provider: Provider;
  login: Login;
  secondFactor: SecondFactor;
  signUp: SignUpAccount;
  verification: Verification;
  passwordReset: PasswordReset;
}

const loginPath = (uid: string) => `/u/login/${encodeURIComponent(uid)}`;
const signUpPath = (uid: string) => `/u/signup?state=${encodeURIComponent(uid)}`;

const forgottenPath = (uid: string) => `/u/forgotten-password?state=${encodeURIComponent(uid)}`;

const stale = messagePage(
  'This link does not work',
  'It was used already or is too old. Ask for another one.',
);

const expired = messagePage('This login has expired', 'Go back to the application and start again.');

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Handles what the login page sends: first the password, then the code where the application asks for one. */
const handleCredentials = async (
  { provider, login, secondFactor }: PageSettings,
  { req, res }: Exchange,
  { uid, params }: Interaction,
): Promise<unknown> => {
  const fields = await readFields(req);
  const [email, client_id] = [textField(fields, 'email'), params['client_id'] ?? ''];
  const again = ({ status, error_description: error }: LoginRefusal) =>
    sendHtml(
      res,
      status,
      loginPage({ email, error, signUpHref: signUpPath(uid), forgottenHref: forgottenPath(uid) }),
    );
  const askForCode = (mfaToken: string, { status, error }: { status: number; error?: string }) =>
    sendHtml(res, status, codePage({ mfaToken, error, enrolment: secondFactor.enrol(mfaToken) }));

  const mfaToken = textField(fields, 'mfa_token');
  if (mfaToken !== '') {
    const code = textField(fields, 'code').replaceAll(/\s/g, '');
    const result = secondFactor.check({ mfaToken, clientId: client_id, code });
    if ('user' in result)
      return provider.interactionFinished(req, res, {
        login: { accountId: result.user.subject, amr: ['pwd', 'mfa'] },
      });
    const { status, error, error_description } = result.refusal;
    return error === 'expired_token'
      ? again(result.refusal)
      : askForCode(mfaToken, { status, error: error_description });
  }
  const address = req.socket.remoteAddress ?? '';
  const result = await login({ email, password: textField(fields, 'password'), address });
  if ('refusal' in result) return again(result.refusal);
  if (secondFactor.isAsked(client_id))
    return askForCode(secondFactor.begin(result.user, { client_id, scope: '' }), { status: 200 });
  return provider.interactionFinished(req, res, { login: { accountId: result.user.subject } });
};

/** Handles the login page of one authorization request; a cookie ties it to the browser. */
export const handleLogin = async (parts: PageSettings, exchange: Exchange): Promise<unknown> => {
  const { provider } = parts;
  const { req, res, url } = exchange;
  let details: Interaction;
  try {
    details = await provider.interactionDetails(req, res);
  } catch (error) {
    if (!(error instanceof oidcErrors.OIDCProviderError)) throw error;
    return sendHtml(res, 400, expired);
  }
  const { uid, params, prompt } = details;
  if (prompt.name !== 'login') return provider.interactionFinished(req, res, { consent: {} });
  if (req.method === 'POST') return handleCredentials(parts, exchange, details);
  const [signUpHref, forgottenHref] = [signUpPath(uid), forgottenPath(uid)];
  const isSignUp = params['screen_hint'] === 'signup' && !url.searchParams.has('back');
  if (isSignUp) return redirect(res, signUpHref);
  return sendHtml(res, 200, loginPage({ email: params['login_hint'] ?? '', signUpHref, forgottenHref }));
};

/** Returns the way back to the login that the page was opened from, if any. */
const loginHrefIn = ({ searchParams }: URL): string | undefined => {
  const state = searchParams.get('state');
  return state === null ? undefined : `${loginPath(state)}?back=1`;
};

const mailedPage = (text: string, href: string | undefined): string =>
  messagePage('Check your mail', text, href === undefined ? undefined : { href, text: 'Log in' });

const checkMail = 'We have sent you a link. Open it to verify your e-mail address, then log in.';

export const handleSignUp = async (
  { signUp }: PageSettings,
  { req, res, url }: Exchange,
): Promise<unknown> => {
  const loginHref = loginHrefIn(url);
  if (req.method !== 'POST')
    return sendHtml(res, 200, signUpPage({ values: { email: '', full_name: '', phone: '' }, loginHref }));
  const fields = await readFields(req);
  const [email, full_name, phone] = [
    textField(fields, 'email'),
    textField(fields, 'full_name').trim().slice(0, 300),
    textField(fields, 'phone').trim().slice(0, 40),
  ];
  const result = await signUp({
    email,
    password: textField(fields, 'password'),
    full_name: full_name === '' ? undefined : full_name,
    phone: phone === '' ? undefined : phone,
  });
  if ('refusal' in result) {
    const error = result.refusal.description;
    return sendHtml(res, 400, signUpPage({ values: { email, full_name, phone }, error, loginHref }));
  }
  return sendHtml(res, 200, mailedPage(checkMail, loginHref));
};

export const handleVerify = ({ verification }: PageSettings, { res, url }: Exchange): ServerResponse => {
  const user = verification.redeem(url.searchParams.get('ticket') ?? '');
  if (!user) return sendHtml(res, 400, stale);
  return sendHtml(res, 200, messagePage('E-mail verified', `${user.email} is verified. You can log in now.`));
};

const checkMailbox =
  'If there is an account with this address, we have sent it a link to set a new password. It works for an hour.';

/** Handles the forgotten-password page: mails a link. The response is the same with and without an account (D103). */
export const handleForgotten = async (
  { passwordReset }: PageSettings,
  { req, res, url }: Exchange,
): Promise<unknown> => {
  const loginHref = loginHrefIn(url);
  if (req.method !== 'POST') return sendHtml(res, 200, forgottenPage({ email: '', loginHref }));
  await passwordReset.sendLink(textField(await readFields(req), 'email'));
  return sendHtml(res, 200, mailedPage(checkMailbox, loginHref));
};

/** Handles the page of the link, which sets a new password once. */
export const handleNewPassword = async (
  { passwordReset }: PageSettings,
  { req, res, url }: Exchange,
): Promise<unknown> => {
  const ticket = url.searchParams.get('ticket') ?? '';
  if (req.method !== 'POST')
    return passwordReset.isGood(ticket) ? sendHtml(res, 200, newPasswordPage({})) : sendHtml(res, 400, stale);
  const outcome = await passwordReset.redeem(ticket, textField(await readFields(req), 'password'));
  if (outcome === 'stale') return sendHtml(res, 400, stale);
  if (outcome === 'weak') return sendHtml(res, 400, newPasswordPage({ error: 'Password is too weak' }));
  return sendHtml(res, 200, messagePage('The password is set', 'You can log in with it now.'));
};
