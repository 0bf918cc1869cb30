import { sampleWorld } from '../../../infra/samples/sample-world.ts';
import { systemClock } from '../../../shared/platform/clock.ts';

/** Returns the environment of functions that handle the samples; EventBridge, SES and SQS are at one address. */
export const sampleEnvironment = (services: string): Record<string, string> => ({
  CLOCK_OFFSET_MS: String(Date.parse(sampleWorld.now) - systemClock.now()),
  AWS_ENDPOINT_URL_EVENTBRIDGE: services,
  AWS_ENDPOINT_URL_SESV2: services,
  AWS_ENDPOINT_URL_SQS: services,
  PAYMENT_GATEWAY: 'vnpay',
  PAYMENT_RETURN_URL: 'https://stay.example.com/paid',
  VNPAY_TMN_CODE: sampleWorld.vnpay.tmn_code,
  VNPAY_HASH_SECRET: sampleWorld.vnpay.secret,
  VNPAY_PAY_URL: 'https://sandbox.vnpayment.vn/paymentv2/vpcpay.html',
  VNPAY_API_URL: 'https://sandbox.vnpayment.vn/merchant_webapi/api/transaction',
});
