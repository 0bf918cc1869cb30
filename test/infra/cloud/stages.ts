import { readStageFile } from '../../../infra/cloud/stage-file.ts';
import { type Stage, stageFrom } from '../../../infra/cloud/stage.ts';

type Json = Record<string, unknown>;

const secret = (name: string) =>
  `arn:aws:secretsmanager:ap-southeast-1:111122223333:secret:nightlatch/${name}-AbCdEf`;

/** The least that a stage file has. */
export const leastFile = {
  region: 'ap-southeast-1',
  identity: {
    issuer: 'https://identity.example.com/',
    audience: 'https://api.example.com',
    client_id: 'client',
    host_client_ids: ['hosts', 'pages'],
    secret_arn: secret('identity'),
  },
  mail_sender: 'stay@example.com',
};

export const domain = {
  name: 'api.example.com',
  certificate_arn: 'arn:aws:acm:ap-southeast-1:111122223333:certificate/01234567-89ab-cdef-0123-456789abcdef',
};

export const stripe = {
  gateway: 'stripe',
  return_url: 'https://stay.example.com/paid',
  secret_arn: secret('payment'),
};

export const vnpay = {
  gateway: 'vnpay',
  return_url: 'https://stay.example.com/paid',
  tmn_code: 'NIGHTLAT',
  pay_url: 'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html',
  api_url: 'https://sandbox.vnpayment.vn/merchant_webapi/api/transaction',
  secret_arn: secret('payment'),
};

/** The table of a stage whose table was restored before. */
export const restoredTable = (stage: string, generation: number) => ({
  generation,
  stream_arn: `arn:aws:dynamodb:ap-southeast-1:111122223333:table/nightlatch-${stage}-g${generation}/stream/2027-01-15T05:00:00.000`,
});

/** Returns a stage with the given fields. */
export const stageWith = (name: string, fields: Json = {}): Stage =>
  stageFrom(name, readStageFile(`stages/${name}.json`, JSON.stringify({ ...leastFile, ...fields })));

/** A stage that may be destroyed, with the least that a stage has. */
export const devStage = stageWith('dev', { disposable: true, requests: { per_second: 100, burst: 200 } });

export const canary = { listing_id: 17_402_345_670_100, secret_arn: secret('canary') };

/** A stage that keeps its data, with everything that a stage may have. */
export const productionStage = stageWith('production', {
  account: '111122223333',
  payment: stripe,
  alarm_email: 'ops@example.com',
  budget_usd: 500,
  canary,
  dashboard: true,
  domain: { ...domain, hosted_zone_id: 'Z0123456789ABCDEFGHIJ' },
  cors_origins: ['https://app.example.com'],
  waf: true,
  concurrency: { authorizer: 100, payments: 10, workers: 3 },
  release: { repository: 'example/nightlatch' },
  table: { reads_per_second: 2000, writes_per_second: 500 },
  settings: { SOFT_LOCK_MINUTES: 20 },
});

export const cloudfront = {
  origin_name: 'origin.api.example.com',
  certificate_arn: domain.certificate_arn.replace('ap-southeast-1', 'us-east-1'),
  secret_arn: secret('edge'),
  secret_version: '01234567-89ab-4def-8123-456789abcdef',
};

/** A stage with CloudFront before its gateway. */
export const edgeStage = stageWith('edge', {
  domain: { ...domain, hosted_zone_id: 'Z0123456789ABCDEFGHIJ', cloudfront },
  waf: true,
});

export const board = {
  name: 'board.example.com',
  certificate_arn: domain.certificate_arn.replace('ap-southeast-1', 'us-east-1'),
};

export const boardIdentity = { ...leastFile.identity, pages_client_id: 'pages' };

/** A stage with the board, whose API has a name, and that keeps its data. */
export const boardStage = stageWith('hosted', {
  account: '111122223333',
  identity: { ...boardIdentity, guest_client_id: 'guests' },
  alarm_email: 'ops@example.com',
  domain,
  board: { ...board, hosted_zone_id: 'Z0123456789ABCDEFGHIJ' },
  cors_origins: ['https://app.example.com'],
});
