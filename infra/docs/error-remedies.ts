import type { ErrorCode } from '../../shared/platform/errors.ts';

const readAgain =
  'Check the id; a record of another team or customer is answered like one that does not exist.';
const sameRequest = 'Send the same request again after a pause, with the same `Idempotency-Key`.';

/** What a caller does about each error, for the page of errors. */
export const errorRemedies: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Correct every field that `details.issues` names, then send the request again.',
  EXTERNAL_INVALID_REQUEST:
    'Correct the field that `message` names; `team_ids` is a JSON list such as `[71]`.',
  EXTERNAL_INVALID_STATE: 'Use one of the states that the operation lists.',
  EXTERNAL_INVALID_DATE_FORMAT: 'Write the date as YYYY-MM-DD.',
  EXTERNAL_BOOKING_ID_REQUIRED: 'Add `external_booking_id`, or leave out `external_system`.',
  UNAUTHORIZED:
    'Send a valid key in `X-API-Key`, or a valid token in `Authorization: Bearer`; log in again when the token has expired.',
  INVALID_CREDENTIALS: 'Ask the customer for the e-mail and password again.',
  PAYMENT_DECLINED: 'Ask the customer for another means of payment, then confirm again.',
  FORBIDDEN: 'Use a caller with the role, or a key with the scope, that the operation requires.',
  MFA_REQUIRED: 'Have the host set up a second factor at the identity provider and sign in with it.',
  USER_NOT_VERIFIED: 'Have the customer open the link in the mail; `resend-verification` sends it again.',
  EMAIL_NOT_VERIFIED: 'Have the customer open the link in the mail; `resend-verification` sends it again.',
  INVITATION_FOR_ANOTHER_ADDRESS: 'Sign in with the account of the invited address.',
  PASSWORD_RESET_REQUIRED:
    'Have the reset mail sent, set a new password by its link, sign in again and accept with the new token.',
  EXTERNAL_CUSTOMER_NOT_ACCESSIBLE:
    'Use a customer of the teams of your key, or register the customer first.',
  NOT_FOUND: 'Check the path and its ids.',
  LISTING_NOT_FOUND: readAgain,
  BOOKING_NOT_FOUND: readAgain,
  EXTERNAL_LISTING_NOT_ACCESSIBLE: 'Use a listing that the list of listings answers to your key.',
  EXTERNAL_BOOKING_NOT_ACCESSIBLE: 'Use a booking that the list of bookings answers to your key.',
  METHOD_NOT_ALLOWED: 'Use one of the methods in `Allow`.',
  LISTING_NOT_AVAILABLE: 'Offer other dates or another listing; read the availability again first.',
  STAY_NOT_ALLOWED: 'Offer the stays of `details.nearest`, or dates that `details.reasons` allow.',
  PRICE_CHANGED: 'Show the new price, then send it as `expected_total`.',
  SLUG_ALREADY_EXISTS: 'Choose another slug.',
  INVALID_STATE_TRANSITION: 'Read the record again: it has changed, and its state says what is possible.',
  MANAGED_BY_CHANNEL:
    'Change or cancel the stay on the platform in `details.external_system`; its calendar brings it here.',
  TOO_MANY_UNPAID_BOOKINGS: 'Have one of `details.bookings` paid or cancelled first.',
  CUSTOMER_ALREADY_EXISTS: 'Log the customer in instead of registering.',
  EXTERNAL_BOOKING_ID_CONFLICT: 'Use a new `external_booking_id` for another booking.',
  CHECKOUT_EXPIRED: 'Start again from the availability: quote, hold, confirm.',
  CURSOR_OUT_OF_DATE: 'Read the current records, then go on from `details.cursor`.',
  PAYLOAD_TOO_LARGE: 'Send less in one request.',
  UNSUPPORTED_MEDIA_TYPE: 'Send JSON in UTF-8 with `Content-Type: application/json`.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for each new request; repeat a request with the same body.',
  RATE_LIMIT_EXCEEDED: 'Wait for `Retry-After` seconds, and send fewer requests.',
  CHECKOUT_CREATE_BOOKING_FAILED: 'Confirm again; if it fails again, send us the request id.',
  INTERNAL_ERROR: `${sameRequest} If it fails again, send us the request id.`,
  IDENTITY_PROVIDER_UNAVAILABLE: sameRequest,
  PAYMENT_GATEWAY_UNAVAILABLE: sameRequest,
  SERVICE_UNAVAILABLE:
    'Send the same request again after `Retry-After` seconds, with the same `Idempotency-Key`.',
};
