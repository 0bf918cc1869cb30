/** Fields that only the host side sees (D15, D73), as all others see them. */
export const hostOnly = { wifi_name: null, wifi_password: null, door_code: null, commission_rate: null };
