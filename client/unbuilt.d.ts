/* eslint-disable @typescript-eslint/no-explicit-any -- before `npm run client` has built the types, there are none */
export const Nightlatch: any;
export const NightlatchError: any;
export const NightlatchConnectionError: any;
export const signWebhook: any;
export const verifyWebhook: any;
export type Booking = any;
export type PartnerClient = any;
export type PartnerEvent = any;
export type UserClient = any;
