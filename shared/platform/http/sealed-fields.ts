/** The fields of requests and answers whose values no record holds as they are (D140). */
const sealedFields = ['wifi_password', 'door_code', 'secret', 'guest_url'];

const named = new RegExp(`"(${sealedFields.join('|')})":(?!null)`);

/** Whether JSON holds a value of them. A quotation mark within a text has a backslash before it, so texts are not taken for names. */
export const holdsSealed = (json: string): boolean => named.test(json);
