/** The content of `ready.json`, written once the service is up (D69). */
export interface Ready {
  api_url: string;
  auth_url: string;
  home_url: string;
  client: { client_id: string; client_secret: string; audience: string };
  demo: {
    team_id: number;
    api_key: string;
    host: Person;
    guest: Person;
    listing_ids: number[];
  };
  /** The offset of the service's time; updated when the test clock moves. */
  clock: { offset_ms: number };
  /** For the operator's tool. */
  table: { endpoint: string; name: string };
  queues: { endpoint: string };
  bus: { endpoint: string; name: string };
  payments: { endpoint: string };
}

interface Person {
  email: string;
  password: string;
}
