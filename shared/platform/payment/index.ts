export * from './payment-gateway.ts';
