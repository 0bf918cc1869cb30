export { auditBookings, type AuditRun } from './audit-bookings.ts';
export { auditBooking, auditListing, auditSince } from './audit-by-hand.ts';
