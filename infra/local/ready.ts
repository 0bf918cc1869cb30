import * as z from 'zod';

const Person = z.object({ email: z.string(), password: z.string() });

/** The content of `ready.json`, written once the service is up (D69). */
export const Ready = z.object({
  api_url: z.string(),
  auth_url: z.string(),
  home_url: z.string(),
  client: z.object({ client_id: z.string(), client_secret: z.string(), audience: z.string() }),
  demo: z.object({
    team_id: z.number(),
    api_key: z.string(),
    /** Of pages of the first team (D144). */
    publishable_key: z.string().exactOptional(),
    host: Person,
    guest: Person,
    /** The links of guests to stays: the one to try, and by operation those that it needs another stay for. */
    guest_url: z.string().exactOptional(),
    guest_urls: z.record(z.string(), z.string()).exactOptional(),
    listing_ids: z.array(z.number()),
  }),
  /** The offset of the service's time; updated when the test clock moves. */
  clock: z.object({ offset_ms: z.number() }),
  /** For the operator's tool. */
  table: z.object({ endpoint: z.string(), name: z.string() }),
  queues: z.object({ endpoint: z.string() }),
  bus: z.object({ endpoint: z.string(), name: z.string() }),
  payments: z.object({ endpoint: z.string() }),
});
export type Ready = z.output<typeof Ready>;
