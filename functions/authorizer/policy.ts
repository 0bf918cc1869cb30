import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import type { Caller } from '../../shared/platform/auth.ts';
import type { ServiceError } from '../../shared/platform/errors.ts';

/** Routes below this path are for keys, all others for tokens. */
export const partnerPath = '/api/v1/external/';

/** `arn:aws:execute-api:<region>:<account>:<api>/<stage>` of a method's arn. */
const stageArn = (methodArn: string): string => methodArn.split('/').slice(0, 2).join('/');

/** The gateway's message for a caller outside the statement: it caches the policy for other paths too. */
const wrongPath = 'This credential does not open this path.';

const statement = (Effect: 'Allow' | 'Deny', Resource: string) => ({
  Action: 'execute-api:Invoke',
  Effect,
  Resource,
});

/**
 * Opens every route of the caller's scheme: the gateway keeps the answer for a minute and asks it about other routes too.
 * A key never opens a token's route, nor the reverse.
 */
export const allow = (methodArn: string, principalId: string, caller: Caller): APIGatewayAuthorizerResult => {
  const stage = stageArn(methodArn);
  const partnerRoutes = `${stage}/*${partnerPath}*`;
  const Statement =
    caller.kind === 'partner'
      ? [statement('Allow', partnerRoutes)]
      : [statement('Allow', `${stage}/*`), statement('Deny', partnerRoutes)];
  return {
    principalId,
    policyDocument: { Version: '2012-10-17', Statement },
    context: { caller: asciiJson(caller), message: wrongPath },
  };
};

/** Denies every route, with the reason for the gateway's answer, which puts it into a JSON text as it is. */
export const deny = (methodArn: string, error: ServiceError): APIGatewayAuthorizerResult => ({
  principalId: 'refused',
  policyDocument: { Version: '2012-10-17', Statement: [statement('Deny', `${stageArn(methodArn)}/*`)] },
  context: { code: error.code, message: asciiJson(error.message).slice(1, -1) },
});

/** Names with diacritics cross the gateway as escapes. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
