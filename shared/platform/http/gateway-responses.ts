import { errorCatalogue, type ErrorCode, ServiceError } from '../errors.ts';
import type { AllowedOrigins } from './cors.ts';
import { ownHeaders, refusalHeaders, refusalParameters } from './gateway-cors.ts';
import { errorBody } from './reply.ts';

/**
 * The gateway does not know which row was called, so the message names both credentials. It never says whether a given one
 * exists.
 */
const credentialMissing =
  'The credential of this path is missing, of the other kind, or not valid. Paths below /api/v1/external/ take an API key in X-API-Key; those below /api/v1/stay/ a publishable key there; those below /api/v1/guest/ the token of a link in Authorization: Guest; all others take an access token in Authorization: Bearer.';

/** The template variable of the request id. */
export const requestIdVariable = '$context.requestId';

/** The template variable of the authorizer's reason, which is put into the text of a JSON body as it is. */
export const denialVariable = '$context.authorizer.message';

/** The errors that the gateway answers without a function, as codes of the service (D5). */
const gatewayRefusals = {
  DEFAULT_4XX: { code: 'VALIDATION_ERROR', message: 'The gateway cannot read the request.' },
  DEFAULT_5XX: { code: 'INTERNAL_ERROR' },
  UNAUTHORIZED: { code: 'UNAUTHORIZED', message: credentialMissing },
  ACCESS_DENIED: { code: 'FORBIDDEN', message: denialVariable },
  EXPIRED_TOKEN: { code: 'UNAUTHORIZED', message: credentialMissing },
  INVALID_API_KEY: { code: 'UNAUTHORIZED', message: credentialMissing },
  INVALID_SIGNATURE: { code: 'NOT_FOUND' },
  MISSING_AUTHENTICATION_TOKEN: { code: 'NOT_FOUND' },
  RESOURCE_NOT_FOUND: { code: 'NOT_FOUND' },
  WAF_FILTERED: { code: 'FORBIDDEN', message: 'The request was filtered out.' },
  BAD_REQUEST_BODY: { code: 'VALIDATION_ERROR', message: 'The body is not valid.' },
  BAD_REQUEST_PARAMETERS: { code: 'VALIDATION_ERROR', message: 'A parameter is not valid.' },
  REQUEST_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  THROTTLED: { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 1 },
  QUOTA_EXCEEDED: { code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 },
  API_CONFIGURATION_ERROR: { code: 'INTERNAL_ERROR' },
  AUTHORIZER_CONFIGURATION_ERROR: { code: 'INTERNAL_ERROR' },
  AUTHORIZER_FAILURE: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 },
  INTEGRATION_FAILURE: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 },
  INTEGRATION_TIMEOUT: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 },
} as const satisfies Record<string, { code: ErrorCode; message?: string; retryAfterSeconds?: number }>;

export type GatewayRefusal = keyof typeof gatewayRefusals;

/** Returns a gateway error as a ServiceError. */
export const refusalError = (type: GatewayRefusal): ServiceError => {
  const refusal: { code: ErrorCode; message?: string; retryAfterSeconds?: number } = gatewayRefusals[type];
  const { code, message, retryAfterSeconds } = refusal;
  return new ServiceError(code, message, {}, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
};

interface GatewayResponse {
  statusCode: string;
  responseParameters: Record<string, string>;
  responseTemplates: Record<string, string>;
}

const gatewayResponse = (error: ServiceError, origins: AllowedOrigins): GatewayResponse => ({
  statusCode: String(errorCatalogue[error.code].status),
  responseParameters: {
    ...refusalHeaders({
      ...ownHeaders,
      'Cache-Control': "'no-store'",
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': `'${error.retryAfterSeconds}'` }),
    }),
    ...refusalParameters(origins),
  },
  responseTemplates: { 'application/json': errorBody(error, requestIdVariable) },
});

/** Returns the `x-amazon-apigateway-gateway-responses` of the gateway's document. */
export const gatewayResponses = (origins: AllowedOrigins): Record<GatewayRefusal, GatewayResponse> =>
  Object.fromEntries(
    (Object.keys(gatewayRefusals) as GatewayRefusal[]).map((type) => [
      type,
      gatewayResponse(refusalError(type), origins),
    ]),
  ) as Record<GatewayRefusal, GatewayResponse>;
