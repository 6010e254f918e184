// Programs of the graphics card. three.js translates them to GLSL ES 3.0.
//
// Poses and looks of bodies are in textures, one place for each body; vertices, edges and balls carry the number of
// theirs. So a frame is one small upload, however the bodies are shaped.
'use strict';

const BODIES_PER_ROW = 512, ITEMS_PER_ROW = 512, TUBE_SIDES = 8;

// Balls and contacts are in textures too, four texels for each. Vertices have nothing but their numbers. Instances
// are slow when they are many and small, above all where the processor draws.
const ITEM_PART = `
  uniform highp sampler2D items;
  vec4 item(int number, int part) {
    return texelFetch(items, ivec2(4 * (number % ${ITEMS_PER_ROW}) + part, number / ${ITEMS_PER_ROW}), 0);
  }
`;

const BODY_PART = `
  uniform highp sampler2D poses;   // three texels for each body: rows of [map | centre]
  uniform highp sampler2D looks;   // plain colour of each body, and opacity: an odd number of 255 for obstacles
  uniform bool glass;              // draw what is transparent, not what is opaque
  attribute float body;
  attribute float value;
  flat varying float vBody;
  varying float vValue;
  flat varying vec4 vLook;
  flat varying float vObstacle;

  void pose(out mat3 map, out vec3 centre) {
    int b = int(body);
    ivec2 at = ivec2(3 * (b % ${BODIES_PER_ROW}), b / ${BODIES_PER_ROW});
    vec4 x = texelFetch(poses, at, 0);
    vec4 y = texelFetch(poses, at + ivec2(1, 0), 0);
    vec4 z = texelFetch(poses, at + ivec2(2, 0), 0);
    map = transpose(mat3(x.xyz, y.xyz, z.xyz));
    centre = vec3(x.w, y.w, z.w);
  }

  // Takes over what belongs to the body; returns whether it is drawn in this pass.
  bool drawn() {
    int b = int(body);
    vBody = body;
    vValue = value;
    vLook = texelFetch(looks, ivec2(b % ${BODIES_PER_ROW}, b / ${BODIES_PER_ROW}), 0);
    int opacity = int(vLook.a * 255.0 + 0.5);
    vObstacle = float(opacity & 1);
    return opacity > 0 && glass == (opacity < 254);
  }
  const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
  const vec2 CORNERS[4] = vec2[4](vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0));
`;

const COLOUR_PART = `
  uniform bool picking;            // draw numbers of bodies in place of colours
  uniform bool glass;
  uniform float selected;          // body, or -1
  uniform int colouring;           // 0 plain, 1 a scale, 2 categories
  uniform bool obstacles;          // have colours of the scale too
  uniform sampler2D scale;         // colours of the scale, or of categories
  uniform vec2 range;
  uniform bool logarithmic;
  uniform vec4 cut;                // normal and position: beyond it nothing is drawn
  flat varying float vBody;
  varying float vValue;
  flat varying vec4 vLook;
  flat varying float vObstacle;

  const vec3 NO_VALUE = vec3(0.59);
  const vec3 ACCENT = vec3(1.0, 0.45, 0.05);

  vec3 surfaceColour() {
    if (colouring == 0 || !obstacles && vObstacle > 0.5) return vLook.rgb;
    if (vValue < -1e38) return NO_VALUE;
    if (colouring == 2) {
      int number = int(floor(vValue + 0.5)), count = textureSize(scale, 0).x;
      return number < 0 ? NO_VALUE : texelFetch(scale, ivec2(number % count, 0), 0).rgb;
    }
    float v = vValue, low = range.x, high = range.y;
    if (logarithmic) {
      if (v < 0.0) return NO_VALUE;
      if (v == 0.0) return texture2D(scale, vec2(0.0, 0.5)).rgb;
      v = log(v);
      low = log(low);
      high = log(high);
    }
    float share = high > low ? clamp((v - low) / (high - low), 0.0, 1.0) : 0.5;
    return texture2D(scale, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  }

  // Light from over the left shoulder, and from above.
  vec3 lit(vec3 colour, vec3 normal, vec3 towardsEye, float up) {
    vec3 key = normalize(vec3(-0.45, 0.65, 0.75));
    float shine = max(dot(normal, key), 0.0);
    float fill = max(dot(normal, normalize(vec3(0.7, -0.1, 0.5))), 0.0);
    float gloss = pow(max(dot(normal, normalize(key + towardsEye)), 0.0), 40.0);
    return colour * (0.56 + 0.09 * up + 0.42 * shine + 0.12 * fill) + 0.06 * gloss;
  }

  vec4 numberOf(float number, float kind) {
    float low = mod(number, 256.0), middle = mod(floor(number / 256.0), 256.0), high = floor(number / 65536.0);
    return vec4(low, middle, high, kind) / 255.0;
  }

  vec3 selectedTint(vec3 colour) {
    return vBody == selected ? mix(colour, ACCENT, 0.45) : colour;
  }
`;

const FACES_VERTEX = BODY_PART + `
  varying vec3 vWorld;
  varying vec3 vView;
  void main() {
    mat3 map;
    vec3 centre;
    pose(map, centre);
    vWorld = centre + map * position;
    vView = (viewMatrix * vec4(vWorld, 1.0)).xyz;
    gl_Position = drawn() ? projectionMatrix * vec4(vView, 1.0) : NOWHERE;
  }
`;

const FACES_FRAGMENT = COLOUR_PART + `
  uniform bool parallel;
  varying vec3 vWorld;
  varying vec3 vView;
  void main() {
    if (dot(vWorld, cut.xyz) > cut.w) discard;
    if (picking) {
      gl_FragColor = numberOf(vBody, 1.0);
      return;
    }
    vec3 colour = selectedTint(surfaceColour());
    vec3 normal = normalize(cross(dFdx(vView), dFdy(vView)));
    vec3 towardsEye = parallel ? vec3(0.0, 0.0, 1.0) : normalize(-vView);
    float up = dot(normal, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    bool inside = !gl_FrontFacing;
    // The back of a face is seen where a body is cut: as if the body were full.
    vec3 shaded = inside ? 0.72 * colour : lit(colour, normal, towardsEye, up);
    gl_FragColor = vec4(shaded, glass ? vLook.a : 1.0);
  }
`;

const EDGES_FRAGMENT = COLOUR_PART + `
  varying vec3 vWorld;
  varying vec3 vView;
  void main() {
    if (dot(vWorld, cut.xyz) > cut.w) discard;
    gl_FragColor = vec4(vBody == selected ? vec3(0.75, 0.25, 0.0) : vec3(0.13, 0.14, 0.17), glass ? 0.45 : 0.85);
  }
`;

// A ball is the image of the unit sphere under its map. Each is drawn as a rectangle in front of it, on which the lines
// of sight are met with it; so balls are round at any distance.
const BALLS_VERTEX = BODY_PART + ITEM_PART + `
  uniform bool parallel;
  uniform float nearest;          // distance of the near plane
  flat varying vec3 vCentre;      // in the axes of the viewer
  flat varying mat3 vInverse;     // from there to the unit sphere
  varying vec3 vOnRectangle;
  void main() {
    mat3 map;
    vec3 centre;
    pose(map, centre);
    // An item has the rows of [map | centre].
    int ball = gl_VertexID >> 2;
    vec4 x = item(ball, 0), y = item(ball, 1), z = item(ball, 2);
    mat3 whole = mat3(viewMatrix) * map * transpose(mat3(x.xyz, y.xyz, z.xyz));
    vCentre = (viewMatrix * vec4(centre + map * vec3(x.w, y.w, z.w), 1.0)).xyz;
    vInverse = inverse(whole);
    mat3 rows = transpose(whole);
    vec3 reach = vec3(length(rows[0]), length(rows[1]), length(rows[2]));
    vec2 low = vCentre.xy - reach.xy, high = vCentre.xy + reach.xy;
    float front = min(vCentre.z + reach.z, -1.01 * nearest);
    if (!parallel) {
      float back = min(vCentre.z - reach.z, front);
      low = min(low, low * (front / back));
      high = max(high, high * (front / back));
    }
    vOnRectangle = vec3(mix(low, high, CORNERS[gl_VertexID & 3]), front);
    gl_Position = drawn() ? projectionMatrix * vec4(vOnRectangle, 1.0) : NOWHERE;
  }
`;

const BALLS_FRAGMENT = COLOUR_PART + `
  uniform bool parallel;
  uniform bool edges;
  uniform mat4 toWorld;           // from the axes of the viewer
  uniform mat4 projection;
  flat varying vec3 vCentre;
  flat varying mat3 vInverse;
  varying vec3 vOnRectangle;
  void main() {
    // The line of sight as start + t along, in the axes of the unit sphere; of the two points where it meets the sphere
    // the farther one is seen when the nearer one is cut away.
    vec3 along = parallel ? vec3(0.0, 0.0, -1.0) : normalize(vOnRectangle);
    vec3 start = parallel ? vOnRectangle : vec3(0.0);
    vec3 d = vInverse * along, s = vInverse * (start - vCentre);
    float a = dot(d, d), half_b = dot(d, s);
    vec3 nearestPoint = s - d * (half_b / a);  // loses fewer digits than the discriminant as it is usually written
    float rest = 1.0 - dot(nearestPoint, nearestPoint);
    if (rest < 0.0) discard;
    float root = sqrt(rest / a), middle = -half_b / a;
    vec3 seen = start + along * (middle - root);
    bool inside = dot((toWorld * vec4(seen, 1.0)).xyz, cut.xyz) > cut.w;
    if (inside) {
      seen = start + along * (middle + root);
      if (dot((toWorld * vec4(seen, 1.0)).xyz, cut.xyz) > cut.w) discard;
    }
    vec4 clip = projection * vec4(seen, 1.0);
    gl_FragDepthEXT = 0.5 * clip.z / clip.w + 0.5;
    if (picking) {
      gl_FragColor = numberOf(vBody, 1.0);
      return;
    }
    vec3 colour = selectedTint(surfaceColour());
    vec3 onSphere = vInverse * (seen - vCentre);
    vec3 normal = normalize(transpose(vInverse) * onSphere);
    float up = dot(normal, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz), facing = abs(dot(normal, along));
    vec3 shaded = inside ? 0.72 * colour : lit(colour, normal, -along, up);
    if (edges && !inside) {
      // A great circle, which shows how the ball turns, and a darker rim.
      float wide = max(1.5 * fwidth(onSphere.z), 1e-4);
      float line = 1.0 - smoothstep(0.4 * wide, wide, abs(onSphere.z));
      float rim = 1.0 - smoothstep(0.12, 0.34, facing);
      shaded = mix(shaded, vec3(0.13, 0.14, 0.17), max(0.45 * line * min(1.0, 0.06 / wide), 0.55 * rim));
    }
    gl_FragColor = vec4(shaded, glass ? vLook.a : 1.0);
  }
`;

// Forces as tubes through the points of contact, along the force, as far as the centres of the bodies are.
// An item is [point, reach into the first body], [force, reach into the second one], [value].
const TUBES_VERTEX = ITEM_PART + `
  uniform float width;            // radius for a unit of force
  uniform float least;            // radius of the thinnest tube
  varying vec2 vDisc;
  varying vec3 vNormal;
  varying vec3 vWorld;
  varying vec3 vView;
  flat varying float vBody;
  varying float vValue;
  flat varying vec4 vLook;
  flat varying float vObstacle;
  void main() {
    vDisc = vec2(0.0);
    int tube = gl_VertexID / ${2 * TUBE_SIDES}, corner = gl_VertexID % ${2 * TUBE_SIDES};
    vec4 one = item(tube, 0), two = item(tube, 1);
    vec3 point = one.xyz, force = two.xyz;
    float size = length(force), angle = float(corner >> 1) * ${(2 * Math.PI / TUBE_SIDES).toFixed(8)};
    vec3 axis = size > 0.0 ? force / size : vec3(0.0, 0.0, 1.0);
    vec3 side = normalize(abs(axis.x) < 0.8 ? cross(axis, vec3(1.0, 0.0, 0.0)) : cross(axis, vec3(0.0, 1.0, 0.0)));
    vec3 other = cross(axis, side);
    float radius = max(width * size, least);
    vec3 radial = cos(angle) * side + sin(angle) * other;
    // The force on the first body points into it.
    vWorld = point + axis * ((corner & 1) == 1 ? one.w : -two.w) + radius * radial;
    vNormal = mat3(viewMatrix) * radial;
    vView = (viewMatrix * vec4(vWorld, 1.0)).xyz;
    vBody = float(tube);
    vValue = item(tube, 2).x;
    vLook = vec4(1.0);
    vObstacle = 0.0;
    gl_Position = size > 0.0 ? projectionMatrix * vec4(vView, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  }
`;

// Points of contact as small balls: a rectangle that faces the viewer.
const POINTS_VERTEX = ITEM_PART + `
  uniform float radius;
  varying vec2 vDisc;
  varying vec3 vNormal;
  varying vec3 vWorld;
  varying vec3 vView;
  flat varying float vBody;
  varying float vValue;
  flat varying vec4 vLook;
  flat varying float vObstacle;
  void main() {
    vNormal = vec3(0.0, 0.0, 1.0);
    int number = gl_VertexID >> 2, corner = gl_VertexID & 3;
    vec3 point = item(number, 0).xyz;
    vWorld = point;
    vDisc = vec2((corner + 1 & 2) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0);
    vView = (viewMatrix * vec4(point, 1.0)).xyz + radius * vec3(vDisc, 0.0);
    vBody = float(number);
    vValue = item(number, 2).x;
    vLook = vec4(1.0);
    vObstacle = 0.0;
    gl_Position = projectionMatrix * vec4(vView, 1.0);
  }
`;

const FORCES_FRAGMENT = COLOUR_PART + `
  uniform bool parallel;
  uniform bool discs;
  varying vec2 vDisc;
  varying vec3 vNormal;
  varying vec3 vWorld;
  varying vec3 vView;
  uniform float kind;             // 2: contacts, 3: joints
  void main() {
    if (dot(vWorld, cut.xyz) > cut.w) discard;
    vec3 normal = normalize(vNormal);
    if (discs) {
      float r = dot(vDisc, vDisc);
      if (r > 1.0) discard;
      normal = vec3(vDisc, sqrt(1.0 - r));
    }
    if (picking) {
      gl_FragColor = numberOf(vBody, kind);
      return;
    }
    float up = dot(normal, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    vec3 towardsEye = parallel ? vec3(0.0, 0.0, 1.0) : normalize(-vView);
    gl_FragColor = vec4(lit(selectedTint(surfaceColour()), normal, towardsEye, up), 1.0);
  }
`;
