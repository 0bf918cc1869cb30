/** `npm run rehearse`: deploys the stage on an emulated AWS, plays it, and shows what was seen (docs/operate.md). */
await import(new URL('../test/rehearsal/main.ts', import.meta.url).href);
