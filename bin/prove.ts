/** Runs random schedules to prove that no two live stays share an hour: `npm run prove -- --schedules 5000`. */
await import(new URL('../test/prove/main.ts', import.meta.url).href);
