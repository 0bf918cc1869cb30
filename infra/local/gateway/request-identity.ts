import type { APIGatewayEventIdentity } from 'aws-lambda';

/** Returns the `identity` of a request context that API Gateway makes without IAM, Cognito or a client certificate. */
export const requestIdentity = (sourceIp: string, userAgent: string | null): APIGatewayEventIdentity => ({
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
  sourceIp,
  userAgent,
});
