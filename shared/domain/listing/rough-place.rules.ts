interface Place {
  latitude: number | null;
  longitude: number | null;
}

/** Within about a kilometre. */
const rough = (degrees: number | null): number | null => degrees && Math.round(degrees * 100) / 100;

/** Returns a home with its place as a page shows it to people who have not signed in (D144). */
export const roughlyPlaced = <Home extends Place>(home: Home): Home => ({
  ...home,
  latitude: rough(home.latitude),
  longitude: rough(home.longitude),
});
