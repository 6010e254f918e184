"""How surfaces are lit and cut: pieces of GLSL that take the place of VTK's lights, for faces and balls alike.

A light of parallel rays moves with the viewer; a weaker one comes from above. What a cut opens is drawn as if it were
filled: a ray that meets a back side has entered the body through the plane of a cut.
"""

import numpy as np

from solfec.colours import NOT_A_NUMBER, OBSTACLE

# Direction to the light: right, up, towards the viewer
LIGHT = np.array([-0.5, 0.75, -1.0])
# Light from all sides, from above, and from over the shoulder. Colours that stand for numbers are shaded less.
PLAIN_LIGHTS, FIELD_LIGHTS = (0.5, 0.14, 0.5), (0.74, 0.08, 0.24)
EDGE_COLOUR = (0.12, 0.12, 0.14)
_LINES_NEARER = 1.5  # [pixels]
GREY_SHARE = -1000.0  # stands for a place in the colour map: the colour of obstacles

_DECLARATIONS = '''//VTK::PositionVC::Dec
#define CUTS %(cuts)d
#if CUTS > 0
vec4 cutPlanes[CUTS] = vec4[CUTS](%(planes)s);
bool cutAway(vec3 x)
{
  for (int k = 0; k < CUTS; ++k)
    if (dot(cutPlanes[k].xyz, x) > cutPlanes[k].w) return true;
  return false;
}
// Where a ray that goes from x towards the viewer leaves what the planes keep: distance, and the plane or -1.
float leave(vec3 x, vec3 back, out int plane)
{
  float least = 1e30;
  plane = -1;
  for (int k = 0; k < CUTS; ++k)
  {
    float along = dot(cutPlanes[k].xyz, back);
    float t = (cutPlanes[k].w - dot(cutPlanes[k].xyz, x)) / along;
    if (along > 0.0 && t < least) { least = t; plane = k; }
  }
  return least;
}
#endif
float depthOf(vec3 x)
{
  vec4 p = projection * vec4(x, 1.0);
  return 0.5 * p.z / p.w + 0.5;
}
'''

# After the declaration of textures
_LIT = '''//VTK::Picking::Dec
float reached(vec3 x, float cosine)
{
#if SHADOWS
  vec3 s = (toShadow * vec4(x, 1.0)).xyz;
  // A surface must not shade itself: texels see it at depths that differ by their size over its slope.
  float depth = s.z - 4.0 * shadowTexel / clamp(cosine, 0.05, 1.0), sum = 0.0;
  ivec2 size = textureSize(shadowMap, 0);
  for (int i = -1; i < 2; ++i)
    for (int j = -1; j < 2; ++j)
    {
      vec3 bytes = 255.0 * texture(shadowMap, s.xy + 1.5 * vec2(i, j) / vec2(size)).rgb;
      sum += dot(bytes, vec3(65536.0, 256.0, 1.0)) / 16777215.0 > depth ? 1.0 : 0.0;
    }
  return sum / 9.0;
#else
  return 1.0;
#endif
}
vec3 lit(vec3 colour, vec3 normal, vec3 x)
{
  float cosine = max(0.0, dot(normal, toLight));
  float light = lights.x + lights.y * dot(normal, upwards) + lights.z * cosine * reached(x, cosine);
  return colour * clamp(light, 0.0, 1.0);
}
'''

_FACE_CUT = '''
#if CUTS > 0
  if (cutAway(vertexVC.xyz)) discard;
  int cap = -1;
  gl_FragDepth = gl_FragCoord.z;
  if (!gl_FrontFacing)
  {
    vec3 back = cameraParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
    leave(vertexVC.xyz, back, cap);
    // Its own depth stays: what lies between it and the plane is inside of the body. Its edges are hidden: lines are
    // nearer by half as much.
    if (cap >= 0) gl_FragDepth -= nearer * gl_FragCoord.w;
  }
#endif
//VTK::DepthPeeling::PreColor'''

_FACE_LIGHT = '''
#if CUTS > 0
  if (cap >= 0) normalVCVSOutput = cutPlanes[cap].xyz;
#endif
  gl_FragData[0] = vec4(lit(diffuseColor, normalVCVSOutput, vertexVC.xyz), opacity);
//VTK::Light::Impl'''

_MAPPED_VERTEX_DECLARATIONS = '''
in float fieldShare;
in float sectionShare;
out vec2 sharesVC;
'''

_MAPPED_VERTEX = '''
  sharesVC = vec2(fieldShare, sectionShare);
'''

_MAPPED = '''
#if CUTS > 0
  float shareVC = cap < 0 ? sharesVC.x : sharesVC.y;
#else
  float shareVC = sharesVC.x;
#endif
  diffuseColor = texture(colourMap, vec2(clamp(shareVC, 0.0, 1.0), 0.5)).rgb;
  if (isnan(shareVC)) diffuseColor = vec3(%s) / 255.0;
  if (shareVC < 0.5 * %s) diffuseColor = vec3(%s) / 255.0;
''' % (str(NOT_A_NUMBER)[1:-1], GREY_SHARE, str(OBSTACLE)[1:-1])

_SMOOTH_VERTEX_DECLARATIONS = '''
in vec3 smoothNormal;
out vec3 smoothVC;
'''

_SMOOTH_VERTEX = '''
  smoothVC = smoothNormal;
'''

# Where there is none the face is flat. Both are of the side that the viewer sees.
_SMOOTH = '''
  if (dot(smoothVC, smoothVC) > 0.25)
  {
    vec3 smoothNormal = viewTurn * normalize(smoothVC);
    normalVCVSOutput = dot(smoothNormal, normalVCVSOutput) < 0.0 ? -smoothNormal : smoothNormal;
  }
'''

_LINE_VERTEX_DECLARATIONS = '''//VTK::PositionVC::Dec
uniform mat4 MCVCMatrix;
in float bodySize;
out vec3 lineVC;
out float sizeVC;
'''

_LINE_VERTEX = '''
  lineVC = (MCVCMatrix * vertexMC).xyz;
  sizeVC = bodySize;
//VTK::PositionVC::Impl
  gl_Position.z -= nearer;
'''

_LINE_CUT = '''
#if CUTS > 0
  if (cutAway(lineVC)) discard;
#endif
//VTK::DepthPeeling::PreColor'''

# Edges of bodies that are small in the picture are fainter, as the outlines of balls are: they would hide the faces.
_LINE_FADE = '''
  float pixels = sizeVC / (pixelSize * (cameraParallel != 0 ? 1.0 : -lineVC.z));
  gl_FragData[0].a *= clamp(1.5 - 12.0 / pixels, 0.0, 1.0);
//VTK::Light::Impl'''

_BALL_VERTEX_DECLARATIONS = '''//VTK::PositionVC::Dec
#define SHAPE %d
#if SHAPE == 3
in float radius;
flat out float radiusVC;
#else
in vec3 ballCenter;
in vec3 column0;
in vec3 column1;
in vec3 column2;
flat out mat3 toUnit;
#endif
#if SHAPE == 4
flat out float halfLength;
#endif
uniform int cameraParallel;
out vec3 screenVC;
flat out vec3 centerVC;
'''

# A vertex is a corner of the triangle of a solid; which one follows from its number. The triangle of a ball is around
# the ellipse in which rays from the viewer touch it, in the plane of this ellipse. That of another solid is around the
# rectangle that it covers, in the plane of its nearest point.
_BALL_VERTEX = '''
  int number = gl_VertexID % 3;
#if SHAPE == 3
  float side = number == 0 ? -1.0 : 1.0;
  vec3 ballCenter = vertexMC.xyz - radius * vec3(side, number == 1 ? 1.0 : -1.0, side);
  radiusVC = radius;
  mat3 shape = mat3(radius), toUnit = mat3(1.0 / radius);
#else
  mat3 shape = mat3(MCVCMatrix) * mat3(column0, column1, column2);
#if SHAPE == 4
  // Lengths along the axis are in radii too: the ends are spheres.
  float radius = length(shape[0]);
  halfLength = length(shape[2]) / radius;
  toUnit = inverse(mat3(shape[0], shape[1], cross(shape[0], shape[1]) / radius));
#else
  toUnit = inverse(shape);
#endif
#endif
  centerVC = (MCVCMatrix * vec4(ballCenter, 1.0)).xyz;
#if SHAPE % 3 == 0
  vec3 eye = toUnit * (cameraParallel != 0 ? vec3(0.0, 0.0, 1.0) : -centerVC);
  vec3 towards = normalize(eye);
  float plane = cameraParallel != 0 ? 0.0 : 1.0 / length(eye);
  vec3 one = normalize(cross(towards, abs(towards.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  vec3 two = cross(towards, one);
  vec2 corner = number == 0 ? vec2(2.0, 0.0) : vec2(-1.0, number == 1 ? 1.7320508 : -1.7320508);
  corner *= 1.01 * sqrt(max(1.0 - plane * plane, 0.0));
  screenVC = centerVC + shape * (plane * towards + corner.x * one + corner.y * two);
#else
#if SHAPE == 4
  vec3 reach = radius + abs(shape[2]);
#else
  vec3 reach = sqrt(shape[0] * shape[0] + shape[1] * shape[1]) + abs(shape[2]);
#endif
  vec2 low = centerVC.xy - reach.xy, high = centerVC.xy + reach.xy;
  float nearest = centerVC.z + reach.z;
  if (cameraParallel == 0)
  {
    float shrink = nearest / (centerVC.z - reach.z);
    low = min(low, low * shrink);
    high = max(high, high * shrink);
  }
  vec2 corner = vec2(number == 1 ? 2.0 : 0.0, number == 2 ? 2.0 : 0.0);
  screenVC = vec3(low + corner * (high - low), nearest);
#endif
  gl_Position = MCDCMatrix * (inverse(MCVCMatrix) * vec4(screenVC, 1.0));
'''

_BALL_DECLARATIONS = '''
#define SHAPE %d
in vec3 screenVC;
flat in vec3 centerVC;
#if SHAPE == 3
flat in float radiusVC;
#else
flat in mat3 toUnit;
#endif
#if SHAPE == 4
flat in float halfLength;
#endif
'''

_BALL_HIT = '''
#if SHAPE == 3
  mat3 toUnit = mat3(1.0 / radiusVC);
#endif
  vec3 start = cameraParallel != 0 ? screenVC : vec3(0.0);
  vec3 ray = cameraParallel != 0 ? vec3(0.0, 0.0, -1.0) : normalize(screenVC);
  vec3 p = toUnit * (start - centerVC), d = toUnit * ray;
#if SHAPE % 3 == 0
  float dd = dot(d, d), pd = dot(p, d);
  float off = dot(p, p) - pd * pd / dd;  // square of the distance from the centre, in balls of radius one
  float across = sqrt(max(off, 0.0));
  float onePixel = fwidth(across);
  if (off > 1.0) discard;
  float half_chord = sqrt((1.0 - off) / dd);
  float at = -pd / dd - half_chord;
  vec3 unitNormal = p + at * d;
  // Small balls have fainter outlines.
  float onOutline = clamp(outline + 0.5 - (1.0 - across) / onePixel, 0.0, 1.0) * clamp(1.5 - 8.0 * onePixel, 0.0, 1.0);
  if (outline == 0.0) onOutline = 0.0;
#elif SHAPE == 4
  float onOutline = 0.0, at = 1e30, half_chord = 0.0;
  vec3 unitNormal = vec3(0.0);
  // The side, of radius 1, and the spheres around both ends
  float a = dot(d.xy, d.xy), b = dot(p.xy, d.xy), root = b * b - a * (dot(p.xy, p.xy) - 1.0);
  if (root > 0.0 && a > 1e-12)
  {
    float t = (-b - sqrt(root)) / a;
    vec3 x = p + t * d;
    if (abs(x.z) < halfLength) { at = t; unitNormal = vec3(x.xy, 0.0); }
  }
  for (int end = -1; end < 2; end += 2)
  {
    vec3 q = p - vec3(0.0, 0.0, float(end) * halfLength);
    float dd = dot(d, d), qd = dot(q, d), root = qd * qd - dd * (dot(q, q) - 1.0);
    if (root > 0.0 && (-qd - sqrt(root)) / dd < at) { at = (-qd - sqrt(root)) / dd; unitNormal = q + at * d; }
  }
  if (at > 1e29) discard;
#else
  float onOutline = 0.0, at = 1e30, half_chord = 0.0;
  vec3 unitNormal = vec3(0.0);
  // The side: a cylinder of radius 1, or a cone of radius (1 - z) / 2, for |z| < 1
  float k = SHAPE == 1 ? 0.0 : 0.25, w = 1.0 - p.z, c1 = SHAPE == 1 ? 1.0 : 0.0;
  float a = dot(d.xy, d.xy) - k * d.z * d.z, b = dot(p.xy, d.xy) + k * w * d.z, c = dot(p.xy, p.xy) - k * w * w - c1;
  float root = b * b - a * c;
  if (root > 0.0 && abs(a) > 1e-12)
    for (int way = -1; way < 2; way += 2)
    {
      float t = (-b + float(way) * sqrt(root)) / a;
      vec3 x = p + t * d;
      if (abs(x.z) < 1.0 && t < at) { at = t; unitNormal = vec3(x.xy, k * (1.0 - x.z)); }
    }
  for (int end = -1; end < 4 - 2 * SHAPE; end += 2)  // a cone has one end
  {
    float t = (float(end) - p.z) / d.z;
    vec3 x = p + t * d;
    if (dot(x.xy, x.xy) < 1.0 && t < at) { at = t; unitNormal = vec3(0.0, 0.0, float(end)); }
  }
  if (at > 1e29) discard;
#endif
  vec4 vertexVC = vec4(start + at * ray, 1.0);
  vec3 ballNormal = normalize(transpose(toUnit) * unitNormal);
#if CUTS > 0
  if (cutAway(vertexVC.xyz))
  {
#if SHAPE > 0
    discard;
#endif
    int cap;
    vec3 far = vertexVC.xyz + 2.0 * half_chord * ray;
    if (cutAway(far)) discard;
    float t = leave(far, -ray, cap);
    if (cap < 0) discard;
    vertexVC.xyz = far - t * ray;
    ballNormal = cutPlanes[cap].xyz;
    onOutline = 0.0;
  }
#endif
'''


def shade_faces(actor, cuts, shadows=False, mapped=False, smooth=False):
    """Lights the polygons of an actor and cuts them. mapped: colours are those of `colourMap` at the places
    `fieldShare` of points, in sections `sectionShare`; VTK would interpolate by a texture too, which the one of shadows
    displaces. smooth: points have normals `smoothNormal`."""
    property = _start(actor)
    declared, vertex, fragment = '', '', ''
    if mapped:
        declared, vertex, fragment = _MAPPED_VERTEX_DECLARATIONS, _MAPPED_VERTEX, 'in vec2 sharesVC;\n'
    if smooth:
        declared, vertex = declared + _SMOOTH_VERTEX_DECLARATIONS, vertex + _SMOOTH_VERTEX
        fragment += 'in vec3 smoothVC;\n'
    if declared:
        property.AddVertexShaderReplacement('//VTK::PositionVC::Dec', True, '//VTK::PositionVC::Dec' + declared, False)
        property.AddVertexShaderReplacement('//VTK::PositionVC::Impl', True, vertex + '//VTK::PositionVC::Impl', False)
    # VTK computes the normals of flat faces from derivatives of positions, before depths: positions change after that.
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True, _declarations(cuts) + fragment, False)
    property.AddFragmentShaderReplacement('//VTK::DepthPeeling::PreColor', True, _FACE_CUT, False)
    property.AddFragmentShaderReplacement('//VTK::Picking::Dec', True, _lit(shadows), False)
    light = (_MAPPED if mapped else '') + (_SMOOTH if smooth else '') + _FACE_LIGHT
    property.AddFragmentShaderReplacement('//VTK::Light::Impl', False, light, False)


def shade_lines(actor, cuts):
    """Cuts the lines of an actor; they are not lit."""
    property = _start(actor)
    actor.GetProperty().LightingOff()  # then VTK itself has no positions in the axes of the viewer
    property.AddVertexShaderReplacement('//VTK::PositionVC::Dec', True, _LINE_VERTEX_DECLARATIONS, False)
    property.AddVertexShaderReplacement('//VTK::PositionVC::Impl', True, _LINE_VERTEX, False)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True,
                                          _declarations(cuts) + 'in vec3 lineVC;\nin float sizeVC;\n', False)
    property.AddFragmentShaderReplacement('//VTK::Light::Impl', False, _LINE_FADE, False)
    property.AddFragmentShaderReplacement('//VTK::DepthPeeling::PreColor', True, _LINE_CUT, False)


def shade_solids(actor, cuts, shape, shadows=False):
    """Makes ellipsoids, cylinders, cones, discs or cylinders with round ends (shape 0, 1, 2, 3, 4) of the triangles of
    an actor (balls.py)."""
    property = _start(actor)
    property.AddVertexShaderReplacement('//VTK::PositionVC::Dec', True, _BALL_VERTEX_DECLARATIONS % shape, False)
    property.AddVertexShaderReplacement('//VTK::Camera::Dec', True,
                                        'uniform mat4 MCDCMatrix;\nuniform mat4 MCVCMatrix;\n', False)
    property.AddVertexShaderReplacement('//VTK::PositionVC::Impl', True, _BALL_VERTEX, False)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True,
                                          _declarations(cuts).replace('//VTK::PositionVC::Dec', '')
                                          + _BALL_DECLARATIONS % shape, False)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Impl', True, _BALL_HIT, False)
    property.AddFragmentShaderReplacement('//VTK::Depth::Impl', True, '' if shape == 3 else
                                          '  gl_FragDepth = depthOf(vertexVC.xyz);\n', False)
    property.AddFragmentShaderReplacement('//VTK::Normal::Dec', True, '', False)
    property.AddFragmentShaderReplacement('//VTK::Picking::Dec', True, _lit(shadows), False)
    property.AddFragmentShaderReplacement('//VTK::Normal::Impl', True, '  vec3 normalVCVSOutput = ballNormal;\n', False)
    property.AddFragmentShaderReplacement(
        '//VTK::Light::Impl', False, '  gl_FragData[0] = vec4(mix(lit(diffuseColor, normalVCVSOutput, vertexVC.xyz), '
        'edgeColour, onOutline), mix(opacity, max(opacity, 0.5), onOutline));\n//VTK::Light::Impl', False)


def set_textures(actor, **textures):
    """Textures by the names that the pieces of GLSL have for them; None: without."""
    property = actor.GetProperty()
    property.RemoveAllTextures()
    for name, texture in textures.items():
        if texture is not None:
            property.SetTexture(name, texture)


def _lit(shadows):
    return _LIT.replace('SHADOWS', str(int(shadows)))


def _declarations(cuts):
    return _DECLARATIONS % {'cuts': cuts, 'planes': ', '.join('cutPlane%d' % k for k in range(cuts))}


def _start(actor):
    property = actor.GetShaderProperty()
    property.ClearAllShaderReplacements()
    return property


class Uniforms:
    """What the pieces of GLSL need to know of the camera and the cuts, for one rendering."""

    def __init__(self, camera, size, cuts, lights, shadows=None, sampling=1):
        """size: of the picture in pixels; shadows: Shadows, or None; sampling: so many pixels become one, in width and
        height"""
        view = matrix(camera.GetViewTransformMatrix())
        turn = view[:3, :3]
        projection = matrix(camera.GetProjectionTransformMatrix(size[0] / size[1], -1, 1))
        # Lines are nearer than their faces by so many pixels.
        depth = projection[2, 2] if camera.GetParallelProjection() else projection[2, 3]
        pixel = 2 / (projection[1, 1] * size[1])  # [m], in perspective at a distance of 1 m
        self.nearer, self.pixel = _LINES_NEARER * pixel * abs(depth), sampling * pixel
        to_light = turn @ shadows.direction if shadows else light_direction(turn)
        self.vectors = {'toLight': to_light, 'upwards': turn[:, 2], 'lights': lights}
        self.shadows = None
        if shadows:
            self.shadows = (shadows.from_space @ np.linalg.inv(view)).T.ravel().tolist(), float(shadows.texel)
        self.projection, self.turn = projection.T.ravel().tolist(), turn.T.ravel().tolist()
        self.planes = [(*(turn @ cut.normal), cut.position + turn @ cut.normal @ view[:3, 3]) for cut in cuts]

    def give(self, actor, outline=0.0, nearer=1.0):
        """outline: width of the dark rim of balls in pixels; nearer: factor of what lines are nearer by"""
        uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
        for name, vector in {**self.vectors, 'edgeColour': EDGE_COLOUR}.items():
            uniforms.SetUniform3f(name, list(vector))
        uniforms.SetUniformMatrix4x4('projection', self.projection)
        uniforms.SetUniformMatrix3x3('viewTurn', self.turn)
        uniforms.SetUniformf('outline', outline)
        uniforms.SetUniformf('pixelSize', self.pixel)
        for some in (uniforms, actor.GetShaderProperty().GetVertexCustomUniforms()):
            some.SetUniformf('nearer', nearer * self.nearer)
        if self.shadows:
            uniforms.SetUniformMatrix4x4('toShadow', self.shadows[0])
            uniforms.SetUniformf('shadowTexel', self.shadows[1])
        for k, plane in enumerate(self.planes):
            uniforms.SetUniform4f('cutPlane%d' % k, list(plane))


def light_direction(turn):
    """Direction to the light in the axes of the viewer, who has turned by a matrix; always from above."""
    light = LIGHT * (1, 1, -1)
    light = light / np.linalg.norm(light)
    upwards = turn[:, 2]
    if light @ upwards < 0.3:
        light = light + (0.6 + 0.3 - min(light @ upwards, 0.3)) * upwards
    return light / np.linalg.norm(light)


def matrix(vtk_matrix):
    return np.array([[vtk_matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
