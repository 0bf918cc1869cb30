const made = new Map<string, Intl.DisplayNames>();
/** Created at first use: loading it costs more than all else of a function. */
const namesIn = (language: string): Intl.DisplayNames => {
  const names = made.get(language) ?? new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  made.set(language, names);
  return names;
};

/** Returns the name of a country, Vietnamese by default; undefined for an unknown code. */
export const countryName = (code: string, language = 'vi'): string | undefined => {
  const name = /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? namesIn(language).of(code) : undefined;
  return name === undefined || name === '' ? undefined : name;
};

/** Returns the names of a country in Vietnamese, in English and in its own language. */
export const countryNames = (code: string): string[] => {
  if (countryName(code) === undefined) return [];
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const names = ['vi', 'en', language].map((spoken) => countryName(code, spoken));
  return [...new Set(names.filter((name) => name !== undefined))];
};

/** The 63 provinces of Viet Nam: the letter code, then other codes in use. */
const rows = `
AG An Giang|BV Bà Rịa - Vũng Tàu|BL Bạc Liêu|BK Bắc Kạn|BG Bắc Giang|BN Bắc Ninh|BTR Bến Tre|BD Bình Dương
BDI Bình Định|BP Bình Phước|BTH Bình Thuận|CM Cà Mau|CB Cao Bằng|CT Cần Thơ|DN,DNG,DAN Đà Nẵng|DL Đắk Lắk
DNO Đắk Nông|DB Điện Biên|DNA Đồng Nai|DT Đồng Tháp|GL Gia Lai|HG Hà Giang|HNA Hà Nam|HN,HNI,HAN Hà Nội
HT Hà Tĩnh|HD Hải Dương|HP Hải Phòng|HGI Hậu Giang|HB Hòa Bình|HY Hưng Yên|KH Khánh Hòa|KG Kiên Giang
KT Kon Tum|LC Lai Châu|LCA Lào Cai|LS Lạng Sơn|LD,LDG Lâm Đồng|LA Long An|ND Nam Định|NA Nghệ An
NB Ninh Bình|NT Ninh Thuận|PT Phú Thọ|PY Phú Yên|QB Quảng Bình|QNA,QNM Quảng Nam|QNG Quảng Ngãi|QN Quảng Ninh
QT Quảng Trị|SG,HCM,HCMC,TPHCM Thành phố Hồ Chí Minh|ST Sóc Trăng|SL Sơn La|TN Tây Ninh|TB Thái Bình
TNG Thái Nguyên|TH Thanh Hóa|TTH,HUE Thừa Thiên Huế|TG Tiền Giang|TV Trà Vinh|TQ Tuyên Quang|VL Vĩnh Long
VP Vĩnh Phúc|YB Yên Bái`;

interface Province {
  code: string;
  name: string;
  /** Other codes of the province; a listing keeps the one it was given. */
  aliases: readonly string[];
}

export const provinces: readonly Province[] = rows
  .trim()
  .split(/[|\n]/)
  .map((row) => {
    const space = row.indexOf(' ');
    const [code = '', ...aliases] = row.slice(0, space).split(',');
    return { code, aliases, name: row.slice(space + 1) };
  });

const byCode = new Map(
  provinces.flatMap((province) => [province.code, ...province.aliases].map((code) => [code, province])),
);

/**
 * Returns the name of a province. Codes that are not on the list, and regions of other countries, are returned as they
 * are.
 */
export const provinceName = (code: string, countryCode: string): string =>
  (countryCode === 'VN' ? byCode.get(code)?.name : undefined) ?? code;

/** Returns all codes of a province: `HCM` finds `SG` and vice versa. */
export const sameProvince = (code: string): string[] => {
  const upper = code.toUpperCase();
  const province = byCode.get(upper);
  return province ? [province.code, ...province.aliases] : [upper];
};
