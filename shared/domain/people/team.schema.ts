import * as z from 'zod';
import { roles } from '../../platform/auth.ts';
import { lineOf } from '../../platform/schema/schema.ts';

export const TeamName = lineOf(255);

export const HostRole = z.enum(roles).exclude(['CUSTOMER']);
export type HostRole = z.infer<typeof HostRole>;
