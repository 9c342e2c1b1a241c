/** An SVG landscape that differs by number. */
export function landscapeSvg(number: number): string {
  const hue = (number * 47 + 190) % 360;
  const sun = 70 + ((number * 71) % 260);
  const high = 120 + (number % 3) * 22;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="1200" height="900">
<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 48% 62%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 70% 88%)"/></linearGradient>
<linearGradient id="sea" x2="0" y2="1"><stop stop-color="hsl(${hue} 32% 58%)"/><stop offset="1" stop-color="hsl(${hue} 40% 34%)"/></linearGradient>
<radialGradient id="glow"><stop stop-color="hsl(${(hue + 50) % 360} 95% 94%)"/><stop offset=".32" stop-color="hsl(${(hue + 50) % 360} 95% 92%)"/><stop offset=".34" stop-color="hsl(${(hue + 50) % 360} 95% 90% / .35)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 95% 90% / 0)"/></radialGradient></defs>
<rect width="400" height="300" fill="url(#sky)"/>
<circle cx="${sun}" cy="112" r="84" fill="url(#glow)"/>
<path d="M0 196 L48 ${high + 18} L84 178 L142 ${high - 12} L196 182 L250 ${high + 8} L306 186 L352 ${high + 26} L400 190 V230 H0Z" fill="hsl(${hue} 26% 64%)"/>
<path d="M0 204 Q70 ${high + 40} 150 200 T310 196 T400 188 V240 H0Z" fill="hsl(${hue} 30% 46%)"/>
<rect y="216" width="400" height="84" fill="url(#sea)"/>
<path d="M0 216 H400 M20 236 H150 M230 230 H360 M70 254 H210 M260 262 H400 M0 278 H120" stroke="hsl(${hue} 60% 92%)" stroke-opacity=".35" stroke-width="1.6"/>
<path d="M${sun - 10} 246 l10 -34 l10 34 Z M${sun - 16} 249 h32 l-6 8 h-20 Z" fill="hsl(${hue} 36% 20%)"/>
</svg>`;
}
