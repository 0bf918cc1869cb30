import { bienXanh } from './bien-xanh.ts';
import type { DemoTeam } from './home.ts';
import { nightlatchDemoHomes } from './nightlatch-demo-homes.ts';
import { saiGonStay } from './sai-gon-stay.ts';

/** The demo data: three teams with homes in five cities. */
export const demoTeams: readonly DemoTeam[] = [nightlatchDemoHomes, bienXanh, saiGonStay];
