const integer = { type: 'integer' };

/** The response headers, as components. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request in our logs.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests a minute for this caller.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left until the reset.', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time of the reset.', schema: integer },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: integer },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept answer to the same request before.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Total-Count': { description: 'How many there are, exact up to 1,000.', schema: integer },
  'X-Next-Cursor': {
    description: 'What to send as `cursor` to go on; absent on the last page.',
    schema: { type: 'string' },
  },
};

/** The credentials. */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      "A partner's key, as the operator or an owner of the team issued it. Its scopes say what it may do: `read`; `book`, which includes `read`; `customers`; `webhooks`. Names, phone numbers and e-mail addresses are null for a key without the scope `personal`, except on bookings that it made. It ends at its `expires_at` to the second; once revoked it is refused within 60 seconds.",
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of the identity provider. It ends at its `exp` to the second; after a logout it is refused within 60 seconds.',
  },
  PublishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      "A team's publishable key, which begins with `pk_`. It is no secret, and may be in a web page of the origins that it names; it reads what every guest may see of the team. Once revoked it is refused within 60 seconds.",
  },
  GuestLink: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'The token of the link that a guest has by mail, from the host or from the partner: what is behind the `#` of `guest_url`, as `Guest <token>`. It opens one stay, until 30 days after its end.',
  },
};
