/** A small landscape; another for each number. */
export function picture(number: number): string {
  const hue = (number * 47 + 170) % 360;
  const sun = 60 + ((number * 71) % 280);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="400" height="300">
<rect width="400" height="300" fill="hsl(${hue} 45% 78%)"/>
<circle cx="${sun}" cy="90" r="38" fill="hsl(${(hue + 60) % 360} 80% 88%)"/>
<path d="M0 210 Q100 ${140 + (number % 3) * 20} 200 200 T400 180 V300 H0Z" fill="hsl(${hue} 35% 52%)"/>
<path d="M0 250 Q120 200 240 245 T400 235 V300 H0Z" fill="hsl(${hue} 40% 36%)"/>
</svg>`;
}
