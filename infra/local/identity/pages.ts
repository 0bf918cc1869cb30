import { escapedHtml } from '../../../shared/platform/text/escaped-html.ts';
import { passwordRules } from './password.ts';

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f1ee; color: #222; }
  main { max-width: 22rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 10px;
    box-shadow: 0 2px 12px rgb(0 0 0 / 12%); }
  h1 { font-size: 1.3rem; margin: 0 0 1rem; }
  label { display: block; margin: .8rem 0 .2rem; font-size: .9rem; }
  input { width: 100%; box-sizing: border-box; padding: .55rem; font: inherit; border: 1px solid #999; border-radius: 6px; }
  button { width: 100%; margin-top: 1.2rem; padding: .65rem; font: inherit; border: 0; border-radius: 6px;
    background: #1d4b3e; color: #fff; cursor: pointer; }
  .error { background: #fbe9e7; color: #8c1d18; padding: .6rem .8rem; border-radius: 6px; }
  small, ul { color: #555; font-size: .85rem; } ul { margin: .4rem 0 0; padding-left: 1.2rem; }`;

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)} · Nightlatch</title><style>${style}</style></head>
<body><main><h1>${escapedHtml(title)}</h1>${content}</main></body></html>`;

const alert = (error: string | undefined) =>
  error === undefined ? '' : `<p class="error" role="alert">${escapedHtml(error)}</p>`;

interface FieldLook {
  name: string;
  label: string;
  type?: string;
  value?: string;
  complete: string;
  optional?: boolean;
}

const field = ({ name, label, type = 'text', value = '', complete, optional = false }: FieldLook) =>
  `<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}"
  value="${escapedHtml(value)}" autocomplete="${complete}"${optional ? '' : ' required'}>`;

export const messagePage = (title: string, text: string, link?: { href: string; text: string }) =>
  page(
    title,
    `<p>${escapedHtml(text)}</p>${link ? `<p><a href="${escapedHtml(link.href)}">${escapedHtml(link.text)}</a></p>` : ''}`,
  );

const newPasswordField = `${field({ name: 'password', label: 'Password', type: 'password', complete: 'new-password' })}
    <small>The password needs:</small><ul>${passwordRules.map(({ text }) => `<li>${text}</li>`).join('')}</ul>`;

/** Returns the page that requests a link to set a new password. */
export const forgottenPage = (look: { email: string; loginHref?: string | undefined }) =>
  page(
    'Forgotten password',
    `<form method="post">
    ${field({ name: 'email', label: 'E-mail', type: 'email', value: look.email, complete: 'username' })}
    <button type="submit">Send me a link</button></form>
    ${look.loginHref === undefined ? '' : `<p><a href="${escapedHtml(look.loginHref)}">Log in</a></p>`}`,
  );

export const newPasswordPage = (look: { error?: string | undefined }) =>
  page(
    'Set a new password',
    `${alert(look.error)}<form method="post">${newPasswordField}
    <button type="submit">Set the password</button></form>`,
  );

export const loginPage = (look: {
  email: string;
  error?: string | undefined;
  signUpHref: string;
  forgottenHref: string;
}) =>
  page(
    'Log in',
    `${alert(look.error)}<form method="post">
    ${field({ name: 'email', label: 'E-mail', type: 'email', value: look.email, complete: 'username' })}
    ${field({ name: 'password', label: 'Password', type: 'password', complete: 'current-password' })}
    <button type="submit">Log in</button></form>
    <p><a href="${escapedHtml(look.forgottenHref)}">Forgotten your password?</a></p>
    <p>No account yet? <a href="${escapedHtml(look.signUpHref)}">Sign up</a></p>`,
  );

/** Returns the page that asks for a code of an authenticator app, and adds the app first if the account has none. */
export const codePage = (look: {
  mfaToken: string;
  enrolment?: { secret: string; uri: string } | undefined;
  error?: string | undefined;
}) =>
  page(
    look.enrolment ? 'Add an authenticator app' : 'Second step',
    `${alert(look.error)}${
      look.enrolment
        ? `<p>Hosts sign in with a code of an authenticator app too. Add <a href="${escapedHtml(look.enrolment.uri)}">this
    account</a> to yours, or type its key: <code>${look.enrolment.secret}</code></p>`
        : ''
    }<form method="post">
    <input type="hidden" name="mfa_token" value="${escapedHtml(look.mfaToken)}">
    ${field({ name: 'code', label: 'Code of the app, 6 digits', complete: 'one-time-code' })}
    <button type="submit">Continue</button></form>`,
  );

export const signUpPage = (look: {
  values: { email: string; full_name: string; phone: string };
  error?: string | undefined;
  loginHref?: string | undefined;
}) => {
  const { email, full_name, phone } = look.values;
  return page(
    'Sign up',
    `${alert(look.error)}<form method="post">
    ${field({ name: 'full_name', label: 'Full name', value: full_name, complete: 'name' })}
    ${field({ name: 'email', label: 'E-mail', type: 'email', value: email, complete: 'username' })}
    ${field({ name: 'phone', label: 'Phone (optional)', type: 'tel', value: phone, complete: 'tel', optional: true })}
    ${newPasswordField}
    <button type="submit">Sign up</button></form>
    ${look.loginHref === undefined ? '' : `<p>Have an account? <a href="${escapedHtml(look.loginHref)}">Log in</a></p>`}`,
  );
};

/** Returns the logout page; `form` comes from oidc-provider: a form named op.logoutForm without a button. */
export const logoutPage = (form: string) =>
  page(
    'Log out',
    `<p>Do you want to log out?</p>${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>`,
  );
