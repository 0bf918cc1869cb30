/** The opening text of the OpenAPI document: what holds for every operation. */
export const about = `Nightlatch is a lodging rental service that cannot double-book.

**Who calls.** Partner back ends send \`X-API-Key\` to paths below \`/api/v1/external/\`. Customers and hosts send
\`Authorization: Bearer\` with an access token of the identity provider; hosts of several teams add \`X-Team-ID\`.

**Errors.** Every error is \`{code, message, details, request_id}\`. Program against \`code\`; \`message\` is for people. An invalid
request lists every problem at once in \`details.issues\`. An unknown path is \`NOT_FOUND\`, a wrong method
\`METHOD_NOT_ALLOWED\`; HEAD is answered like GET. Each answer carries \`X-Request-Id\`: quote it when you ask us.

**Repeating safely.** Send an \`Idempotency-Key\` with what creates or changes. The same key and body get the first answer
again, byte for byte, for 24 hours.

**Lists.** \`page\` and \`limit\` (1 to 100), or \`cursor\` with the \`next_cursor\` of the page before, which stays fast at any
depth.

**Time and money.** Instants are UTC with \`Z\`; availability is the listing's local time without zone. Money is exact in
the currency's minor unit.

**Limits.** \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` say what is left; a 429 carries
\`Retry-After\`.`;
