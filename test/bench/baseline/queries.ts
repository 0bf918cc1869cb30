/** The statements of the baseline, each prepared once a connection. */
export const queries = {
  listing: `
    SELECT l.id, l.name, l.capacity, l.full_rate, l.currency,
      (SELECT jsonb_object_agg(weekday, price) FROM prices WHERE listing_id = l.id) AS prices
    FROM listings l WHERE l.id = $1 AND l.state = 'ACTIVE'`,
  isTaken: `
    SELECT 1 FROM stays
    WHERE listing_id = $1 AND during && tstzrange($2, $3) AND state <> 'CANCELLED' LIMIT 1`,
  answered: `SELECT request_hash, answer FROM idempotency WHERE key = $1`,
  /** Order, stay, event and the answer of the key in one statement, so in one transaction and one round trip. */
  book: `
    WITH placed AS (
      INSERT INTO orders (guest_id, total, quote) VALUES ($1, $2, $3) RETURNING id, created_at
    ), stay AS (
      INSERT INTO stays (order_id, listing_id, during)
      SELECT id, $4, tstzrange($5, $6) FROM placed RETURNING id, order_id
    ), event AS (
      INSERT INTO events (type, data)
      SELECT 'booking.created', jsonb_build_object('id', id, 'listing_id', $4::bigint) FROM stay
    ), answer AS (
      SELECT jsonb_build_object('order_id', order_id, 'booking_id', stay.id, 'state', 'CONFIRMED', 'total', $2::bigint,
        'created_at', placed.created_at) AS body
      FROM stay JOIN placed ON placed.id = stay.order_id
    ), kept AS (
      INSERT INTO idempotency (key, request_hash, answer) SELECT $7, $8, body FROM answer
    )
    SELECT body FROM answer`,
  taken: `
    SELECT lower(during) AS begins, upper(during) AS ends FROM stays
    WHERE listing_id = $1 AND during && tstzrange($2, $3) AND state <> 'CANCELLED'`,
  /** Free listings in a box, by distance, with the price of the stay and their number. */
  search: `
    WITH free AS (
      SELECT l.id, l.name, l.address, l.place, l.capacity, l.full_rate, l.currency,
        l.place <-> point($1, $2) AS distance
      FROM listings l
      WHERE l.place <@ box(point($1 - $3, $2 - $3), point($1 + $3, $2 + $3)) AND l.state = 'ACTIVE' AND l.capacity >= $4
        AND NOT EXISTS (
          SELECT 1 FROM stays s
          WHERE s.listing_id = l.id AND s.during && tstzrange($5, $6) AND s.state <> 'CANCELLED')
    ), page AS (
      SELECT *, count(*) OVER () AS total_count FROM free ORDER BY distance, id LIMIT 20
    )
    SELECT page.*, (
      SELECT sum(coalesce(p.price, page.full_rate))
      FROM generate_series($7::date, $8::date - 1, interval '1 day') AS night
      LEFT JOIN prices p ON p.listing_id = page.id AND p.weekday = extract(dow FROM night)
    ) AS total
    FROM page ORDER BY distance, id`,
};
