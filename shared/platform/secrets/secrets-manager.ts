import type * as z from 'zod';
import type { AwsService } from '../aws/endpoint.ts';
import { AwsRefusal, jsonRequest, type JsonRequestOptions, objectIn } from '../aws/json-request.ts';

const secretsManager: AwsService = {
  name: 'secretsmanager',
  variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  contentType: 'application/x-amz-json-1.1',
};

/** An error of Secrets Manager; its message contains no value of a secret. */
class SecretUnreadable extends Error {
  constructor(arn: string, reason: string) {
    super(`The secret ${arn} cannot be read: ${reason}`);
    this.name = 'SecretUnreadable';
  }
}

/** Returns a function that reads a secret, a JSON object of the given shape. */
export const secretReader = <Shape extends z.ZodType>(
  arn: string,
  shape: Shape,
  options: JsonRequestOptions = {},
): (() => Promise<z.output<Shape>>) => {
  const request = jsonRequest(secretsManager, 'Secrets Manager', options);
  return async () => {
    try {
      const { SecretString } = await request('secretsmanager.GetSecretValue', { SecretId: arn });
      return valueIn(arn, shape, SecretString);
    } catch (error) {
      throw error instanceof AwsRefusal ? new SecretUnreadable(arn, error.message) : error;
    }
  };
};

const valueIn = <Shape extends z.ZodType>(arn: string, shape: Shape, text: unknown): z.output<Shape> => {
  const value = shape.safeParse(objectIn(text));
  if (value.success) return value.data;
  const wrong = value.error.issues.map(({ path, message: problem }) => `${path.join('.')}: ${problem}`);
  throw new SecretUnreadable(arn, `its JSON has ${wrong.join('; ')}`);
};
