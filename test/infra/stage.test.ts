import { RootConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { stageOf } from '../../infra/cloud/stage.ts';

// Not an App: each would make a folder for its assembly.
const stage = (context: Record<string, string>) => {
  const { node } = new RootConstruct();
  for (const [key, value] of Object.entries(context)) node.setContext(key, value);
  return stageOf(node);
};

describe('a stage', () => {
  it('is dev when nothing was said, and may be thrown away', () => {
    expect(stage({})).toMatchObject({ name: 'dev', keepsData: false, firewall: false });
  });

  it('keeps its data on production alone', () => {
    expect(stage({ stage: 'production' }).keepsData).toBe(true);
    expect(stage({ stage: 'staging' }).keepsData).toBe(false);
  });

  it.each(['Dev', 'a', 'my-stage', 'x'.repeat(17), '1st'])('is not called %s', (name) => {
    expect(() => stage({ stage: name })).toThrow('2 to 16 small letters and digits');
  });

  it('reserves nothing in a small account', () => {
    expect(stage({ stage: 'production', unreserved: 'true' }).authorizerConcurrency).toBeUndefined();
  });

  it('never points a deployed function at a table elsewhere', () => {
    const elsewhere = { dynamodb_endpoint: 'http://127.0.0.1:8000' };
    expect(() => stage({ stage: 'production', ...elsewhere })).toThrow('sam local invoke');
    expect(() => stage({ stage: 'local' })).toThrow('sam local invoke');
    expect(stage({ stage: 'local', ...elsewhere }).tableEndpoint).toBe('http://127.0.0.1:8000');
  });

  it('lets no browser in unless origins are given, and then those alone', () => {
    expect(stage({}).origins).toEqual({ listed: [], loopback: false });
    const cors_origins = 'https://app.example.com,https://desk.example.com';
    expect(stage({ cors_origins }).origins).toEqual({ listed: cors_origins.split(','), loopback: false });
    expect(() => stage({ cors_origins: '*' })).toThrow('CORS_ORIGINS: must be origins');
  });
});
