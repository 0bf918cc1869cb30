/** Measures the service beside a service on PostgreSQL and a raw loop: `npm run bench -- --help`. */
await import(new URL('../test/bench/main.ts', import.meta.url).href);
