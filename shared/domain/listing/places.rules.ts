import { foldText } from '../../platform/fold-text.ts';

const made = new Map<string, Intl.DisplayNames>();
/** Made at first use: it costs more than all else that is loaded with a function. */
const namesIn = (language: string): Intl.DisplayNames => {
  const names = made.get(language) ?? new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  made.set(language, names);
  return names;
};

/** The country's name, Vietnamese unless told otherwise; undefined for a code that stands for none. */
export const countryName = (code: string, language = 'vi'): string | undefined => {
  const name = /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? namesIn(language).of(code) : undefined;
  return name === undefined || name === '' ? undefined : name;
};

/** What the country is called in Vietnamese, in English and at home. */
export const countryNames = (code: string): string[] => {
  if (countryName(code) === undefined) return [];
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const names = ['vi', 'en', language].map((spoken) => countryName(code, spoken));
  return [...new Set(names.filter((name) => name !== undefined))];
};

/** The 63 provinces of Viet Nam: a letter code each, and the other codes people write for the same one. */
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

export interface Province {
  code: string;
  name: string;
  /** Other codes for it; a listing keeps the one it was given. */
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

/** The province's name; a code that is not on the list names itself, as do the regions of other countries. */
export const provinceName = (code: string, countryCode: string): string =>
  (countryCode === 'VN' ? byCode.get(code)?.name : undefined) ?? code;

/** Every code that stands for the same province: `HCM` and `SG` find each other. */
export const sameProvince = (code: string): string[] => {
  const upper = code.toUpperCase();
  const province = byCode.get(upper);
  return province ? [province.code, ...province.aliases] : [upper];
};

/** The provinces whose name holds the text, without diacritics. */
export const provincesNamed = (text: string): Province[] => {
  const folded = foldText(text);
  return provinces.filter(({ name }) => foldText(name).includes(folded));
};
