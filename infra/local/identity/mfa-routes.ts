import { type Exchange, readFields, Refusal, sendJson } from './http.ts';
import type { SecondFactor } from './second-factor.ts';

const refuse = (status: number, error: string, error_description: string) =>
  new Refusal(status, { error, error_description });

/** Handles the part of Auth0's MFA API for authenticator apps; its bearer is the token of `mfa_required`. */
export const handleMfa = async (
  secondFactor: SecondFactor,
  { req, res, url }: Exchange,
): Promise<unknown> => {
  const mfaToken = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const user = secondFactor.userOf(mfaToken);
  if (!user) throw refuse(401, 'expired_token', 'mfa_token is expired');
  const call = `${req.method} ${url.pathname}`;
  if (call === 'GET /mfa/authenticators')
    return sendJson(res, 200, user.totp ? [{ id: 'totp|app', authenticator_type: 'otp', active: true }] : []);
  if (call !== 'POST /mfa/associate') throw refuse(404, 'not_found', 'Not Found');
  const types: unknown = (await readFields(req))['authenticator_types'];
  if (!Array.isArray(types) || !types.includes('otp'))
    throw refuse(400, 'invalid_request', 'authenticator_types has to contain otp');
  const enrolment = secondFactor.enrol(mfaToken);
  if (!enrolment) throw refuse(403, 'access_denied', 'User is already enrolled.');
  const { secret, uri: barcode_uri } = enrolment;
  return sendJson(res, 200, { authenticator_type: 'otp', secret, barcode_uri });
};
