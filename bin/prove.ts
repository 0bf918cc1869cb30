/** The proof that no two live stays ever share an hour, as long as one likes to run it: `npm run prove -- --schedules 5000`. */
await import(new URL('../test/prove/main.ts', import.meta.url).href);
