/** The banks that NAPAS lists for VietQR, by their identification number (BIN). */
const listed = `
422589 CIMB Bank
458761 HSBC
546034 CAKE by VPBank
546035 Ubank by VPBank
668888 Kasikornbank
796500 DBS Bank
801011 Nonghyup Bank
963369 Liobank
963388 Timo
970400 SaigonBank
970403 Sacombank
970405 Agribank
970406 Vikki Bank
970407 Techcombank
970408 GPBank
970409 Bac A Bank
970410 Standard Chartered
970412 PVcomBank
970414 MBV
970415 VietinBank
970416 ACB
970418 BIDV
970419 NCB
970421 VRB
970422 MB Bank
970423 TPBank
970424 Shinhan Bank
970425 ABBANK
970426 MSB
970427 VietABank
970428 Nam A Bank
970429 SCB
970430 PGBank
970431 Eximbank
970432 VPBank
970433 VietBank
970434 Indovina Bank
970436 Vietcombank
970437 HDBank
970438 BaoViet Bank
970439 Public Bank
970440 SeABank
970441 VIB
970442 Hong Leong Bank
970443 SHB
970444 VCBNeo
970446 Co-opBank
970448 OCB
970449 LPBank
970452 KienlongBank
970454 BVBank
970455 IBK Ha Noi
970456 IBK Ho Chi Minh
970457 Woori Bank
970458 UOB
970462 Kookmin Ha Noi
970463 Kookmin Ho Chi Minh
971025 MoMo
`;

export const banks: ReadonlyMap<string, string> = new Map(
  listed
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, 6), line.slice(7)]),
);
