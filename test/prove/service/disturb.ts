import type { Cloud } from './cloud.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Deployments, and outages of whole places. */
export const disturb = (sim: Simulation, weather: Weather, cloud: Cloud, hostileMs: number): void => {
  if (cloud.willDeploy) sim.later(sim.between(0.3, 1.7) * hourMs, () => cloud.deploy());
  if (sim.chance(0.4))
    sim.later(sim.random() * hostileMs, () =>
      weather.break('gateway', sim.now() + sim.between(5, 60) * minuteMs),
    );
  if (sim.chance(0.2))
    sim.later(sim.random() * hostileMs, () =>
      weather.break('mail', sim.now() + sim.between(5, 40) * minuteMs),
    );
  if (sim.chance(0.2))
    sim.later(sim.between(0, 2) * hourMs, () =>
      weather.break('calendar', sim.now() + sim.between(5, 40) * minuteMs),
    );
  if (sim.chance(0.15))
    sim.later(sim.random() * hostileMs, () =>
      weather.break('identity', sim.now() + sim.between(2, 20) * minuteMs),
    );
  if (sim.chance(0.15))
    sim.later(sim.random() * hostileMs, () =>
      weather.break('table write', sim.now() + sim.between(1, 5) * minuteMs),
    );
};
