/** Reference data, versioned with the code. Ids are published: an entry is switched off, never removed or renumbered. */

/** id | code | Vietnamese | English | icon; display order is the order here. */
export const catalogRows = {
  property_type: `
    1|house|Nhà nguyên căn|House|home
    2|condo|Căn hộ chung cư|Condo|apartment
    3|villa|Biệt thự|Villa|villa
    4|resort|Khu nghỉ dưỡng|Resort|beach_access
    5|bungalow|Bungalow|Bungalow|bungalow
    6|farmstay|Nông trại|Farmstay|agriculture
    7|hotel|Khách sạn|Hotel|hotel
    8|campsite|Khu cắm trại|Campsite|camping
    9|treehouse|Nhà trên cây|Treehouse|nature
    10|service_building|Tòa nhà dịch vụ|Service building|domain
    11|penthouse|Căn hộ áp mái|Penthouse|location_city`,
  listing_type: `
    101|ENTIRE_PLACE|Toàn bộ chỗ ở|Entire place|house
    102|PRIVATE_ROOM|Phòng riêng|Private room|meeting_room
    103|SHARED_ROOM|Phòng chung|Shared room|groups`,
  view_type: `
    201|beach|Hướng biển|Beach|waves
    202|mountain_hill|Hướng đồi núi|Mountain or hill|landscape
    203|lake|Hướng hồ|Lake|water
    204|city|Hướng thành phố|City|location_city
    205|countryside|Hướng đồng quê|Countryside|grass
    206|river|Hướng sông|River|kayaking
    207|garden|Hướng vườn|Garden|local_florist
    208|pool|Hướng hồ bơi|Pool|pool
    209|park|Hướng công viên|Park|park
    210|forest|Hướng rừng|Forest|forest`,
} as const;

/** A group, then its amenities, with the same columns. */
export const amenityRows = [
  {
    group: '1|bathroom|Phòng tắm|Bathroom|bathtub',
    amenities: `
      101|bathtub|Bồn tắm|Bathtub|bathtub
      102|hot_water|Nước nóng|Hot water|water_heater
      103|hair_dryer|Máy sấy tóc|Hair dryer|air
      104|shampoo|Dầu gội và sữa tắm|Shampoo and shower gel|soap
      105|towels|Khăn tắm|Towels|dry_cleaning
      106|bidet|Vòi xịt vệ sinh|Bidet|shower`,
  },
  {
    group: '2|entertainment|Giải trí|Entertainment|tv',
    amenities: `
      201|wifi|Wi-Fi|Wi-Fi|wifi
      202|smart_tv|Tivi thông minh|Smart TV|tv
      203|karaoke|Dàn karaoke|Karaoke set|mic
      204|board_games|Trò chơi trên bàn|Board games|casino
      205|billiards|Bàn bi-a|Billiards table|sports_bar
      206|game_console|Máy chơi game|Game console|sports_esports`,
  },
  {
    group: '3|cooling_heating|Làm mát và sưởi ấm|Cooling and heating|mode_fan',
    amenities: `
      301|air_conditioning|Điều hòa|Air conditioning|ac_unit
      302|fan|Quạt|Fan|mode_fan
      303|heater|Máy sưởi|Heater|heat
      304|fireplace|Lò sưởi|Fireplace|fireplace`,
  },
  {
    group: '4|safety|An toàn|Safety|shield',
    amenities: `
      401|smoke_alarm|Báo khói|Smoke alarm|detector_smoke
      402|fire_extinguisher|Bình chữa cháy|Fire extinguisher|fire_extinguisher
      403|first_aid_kit|Hộp sơ cứu|First aid kit|medical_services
      404|security_camera|Camera an ninh bên ngoài|Outdoor security camera|videocam
      405|safe|Két an toàn|Safe|lock`,
  },
  {
    group: '5|bedroom_laundry|Phòng ngủ và giặt ủi|Bedroom and laundry|bed',
    amenities: `
      501|bed_linen|Chăn ga gối|Bed linen|bed
      502|blackout_curtains|Rèm cản sáng|Blackout curtains|curtains_closed
      503|wardrobe|Tủ quần áo|Wardrobe|door_sliding
      504|washing_machine|Máy giặt|Washing machine|local_laundry_service
      505|dryer|Máy sấy quần áo|Dryer|dry
      506|iron|Bàn ủi|Iron|iron
      507|crib|Cũi em bé|Crib|crib`,
  },
  {
    group: '6|kitchen|Nhà bếp|Kitchen|kitchen',
    amenities: `
      601|refrigerator|Tủ lạnh|Refrigerator|kitchen
      602|stove|Bếp nấu|Stove|cooking
      603|microwave|Lò vi sóng|Microwave|microwave
      604|rice_cooker|Nồi cơm điện|Rice cooker|rice_bowl
      605|kettle|Ấm đun nước|Kettle|coffee_maker
      606|cookware|Nồi chảo và bát đĩa|Cookware and dishes|skillet
      607|dining_table|Bàn ăn|Dining table|table_restaurant`,
  },
  {
    group: '7|outdoor|Ngoài trời|Outdoor|deck',
    amenities: `
      701|swimming_pool|Hồ bơi|Swimming pool|pool
      702|garden|Sân vườn|Garden|yard
      703|balcony|Ban công|Balcony|balcony
      704|bbq_grill|Bếp nướng BBQ|BBQ grill|outdoor_grill
      705|parking|Chỗ đậu xe|Parking space|local_parking
      706|bicycles|Xe đạp|Bicycles|directions_bike
      707|fire_pit|Hố lửa trại|Fire pit|local_fire_department`,
  },
] as const;
