const timeoutMs = 10_000;

/** Posts JSON to a gateway and returns its JSON response. Throws after 10 seconds, and for any status but 2xx. */
export const postJson = async (url: string, body: object): Promise<unknown> => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!reply.ok) throw new Error(`answered ${reply.status}`);
  return reply.json();
};
