import type { Role } from '../../../platform/auth.ts';
import type { WrittenLanguage } from '../../../platform/text/language.ts';

/** What a role is called in mails. */
export const roleWords: Record<WrittenLanguage, Record<Role | 'ADMIN', string>> = {
  vi: {
    OWNER: 'Chủ sở hữu',
    MANAGER: 'Quản lý',
    STAFF: 'Nhân viên',
    CUSTOMER: 'Khách hàng',
    ADMIN: 'Quản trị viên',
  },
  en: { OWNER: 'Owner', MANAGER: 'Manager', STAFF: 'Staff', CUSTOMER: 'Customer', ADMIN: 'Administrator' },
};
