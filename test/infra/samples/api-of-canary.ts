/** Returns the External API as far as the canary asks it: one booking, made and cancelled. Anything else throws. */
export const apiOfCanary = (id: number): typeof fetch => {
  let booking = {};
  return async (address, { method = 'GET', body, headers } = {}) => {
    const path = (address as string).replace('https://api.example.com/dev/api/v1/external/', '');
    if ((headers as Record<string, string>)['X-API-Key'] !== 'nl_dev_sample') throw new Error('another key');
    const given = typeof body === 'string' ? (JSON.parse(body) as Record<string, unknown>) : {};
    switch (`${method} ${path.replace(/\?.*$/, '')}`) {
      case 'GET bookings':
        return Response.json({ items: [] });
      case 'POST quotes':
        return Response.json({ estimated_total: 100_000 });
      case 'POST bookings':
        booking = { ...given, id, state: 'CONFIRMED', created_at: '2027-01-15T03:00:00.000Z' };
        return Response.json(booking, { status: 201 });
      case `GET bookings/${id}`:
        return Response.json(booking);
      case `POST bookings/${id}/cancel`:
        return Response.json({ ...booking, state: 'CANCELLED' });
      default: {
        const date = new URLSearchParams(path.split('?')[1]).get('start_date');
        if (!path.startsWith('listings/')) throw new Error(`${method} ${path}`);
        return Response.json({ items: [{ date, available: true }] });
      }
    }
  };
};
