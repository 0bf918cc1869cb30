/** The schema of the baseline: two stays of a listing can not overlap, whatever arrives at once. */
export const schema = `
  CREATE EXTENSION btree_gist;
  CREATE TABLE listings (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    address text NOT NULL,
    place point NOT NULL,
    capacity int NOT NULL,
    full_rate bigint NOT NULL,
    currency text NOT NULL DEFAULT 'VND',
    state text NOT NULL DEFAULT 'ACTIVE'
  );
  CREATE TABLE prices (
    listing_id bigint REFERENCES listings,
    weekday int,
    price bigint NOT NULL,
    PRIMARY KEY (listing_id, weekday)
  );
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    guest_id bigint NOT NULL,
    total bigint NOT NULL,
    quote jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE stays (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id bigint REFERENCES orders,
    listing_id bigint NOT NULL REFERENCES listings,
    during tstzrange NOT NULL,
    state text NOT NULL DEFAULT 'CONFIRMED',
    EXCLUDE USING gist (listing_id WITH =, during WITH &&) WHERE (state <> 'CANCELLED')
  );
  CREATE TABLE idempotency (
    key text PRIMARY KEY,
    request_hash text NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
`;

/** Made after the rows of the seed. */
export const searchIndex = `
  CREATE INDEX listings_place ON listings USING gist (place) WHERE state = 'ACTIVE';
  ANALYZE;
`;
