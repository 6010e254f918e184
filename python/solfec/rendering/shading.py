"""How surfaces are lit and cut: pieces of GLSL that take the place of VTK's lights, for faces and balls alike.

A light of parallel rays moves with the viewer; a weaker one comes from above. What a cut opens is drawn as if it were
filled: a ray that meets a back side has entered the body through the plane of a cut.
"""

import numpy as np

# Direction to the light: right, up, towards the viewer
LIGHT = np.array([-0.6, 0.9, -0.8])
AMBIENT, FROM_ABOVE, DIFFUSE = 0.46, 0.14, 0.56
EDGE_COLOUR = (0.12, 0.12, 0.14)

_DECLARATIONS = '''//VTK::PositionVC::Dec
#define CUTS %(cuts)d
#if CUTS > 0
bool cutAway(vec3 x, int except)
{
  for (int k = 0; k < CUTS; ++k)
    if (k != except && dot(cutPlanes[k].xyz, x) > cutPlanes[k].w) return true;
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
vec3 lit(vec3 colour, vec3 normal)
{
  float light = AMBIENT + FROM_ABOVE * dot(normal, upwards) + DIFFUSE * max(0.0, dot(normal, toLight));
  return colour * clamp(light, 0.0, 1.0);
}
'''.replace('AMBIENT', str(AMBIENT)).replace('FROM_ABOVE', str(FROM_ABOVE)).replace('DIFFUSE', str(DIFFUSE))

_FACE_CUT = '''
#if CUTS > 0
  if (cutAway(vertexVC.xyz, -1)) discard;
  int cap = -1;
  if (!gl_FrontFacing)
  {
    vec3 back = cameraParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
    float t = leave(vertexVC.xyz, back, cap);
    if (cap >= 0)
    {
      vertexVC.xyz += t * back;
      gl_FragDepth = depthOf(vertexVC.xyz);
    }
  }
#endif
//VTK::DepthPeeling::PreColor'''

_FACE_LIGHT = '''
#if CUTS > 0
  if (cap >= 0) normalVCVSOutput = cutPlanes[cap].xyz;
#endif
  gl_FragData[0] = vec4(lit(diffuseColor, normalVCVSOutput), opacity);
//VTK::Light::Impl'''

_LINE_CUT = '''
#if CUTS > 0
  if (cutAway(vertexVC.xyz, -1)) discard;
#endif
//VTK::DepthPeeling::PreColor'''

_BALL_VERTEX_DECLARATIONS = '''//VTK::PositionVC::Dec
in vec3 ballCenter;
in vec3 column0;
in vec3 column1;
in vec3 column2;
uniform int cameraParallel;
out vec3 screenVC;
flat out vec3 centerVC;
flat out mat3 toUnit;
'''

# Each ball is a triangle around the rectangle that it covers, in the plane of its nearest point. A corner of the
# triangle is a vertex; which one follows from its number.
_BALL_VERTEX = '''
  mat3 turn = mat3(MCVCMatrix);
  mat3 shape = turn * mat3(column0, column1, column2);
  centerVC = (MCVCMatrix * vec4(ballCenter, 1.0)).xyz;
  toUnit = inverse(shape);
  vec3 reach = vec3(length(vec3(shape[0].x, shape[1].x, shape[2].x)), length(vec3(shape[0].y, shape[1].y, shape[2].y)),
                    length(vec3(shape[0].z, shape[1].z, shape[2].z)));
  vec2 low = centerVC.xy - reach.xy, high = centerVC.xy + reach.xy;
  float nearest = centerVC.z + reach.z;
  if (cameraParallel == 0)
  {
    float shrink = nearest / (centerVC.z - reach.z);
    low = min(low, low * shrink);
    high = max(high, high * shrink);
  }
  vec2 corner = vec2(gl_VertexID % 3 == 1 ? 2.0 : 0.0, gl_VertexID % 3 == 2 ? 2.0 : 0.0);
  screenVC = vec3(low + corner * (high - low), nearest);
  gl_Position = MCDCMatrix * (inverse(MCVCMatrix) * vec4(screenVC, 1.0));
'''

_BALL_DECLARATIONS = '''
in vec3 screenVC;
flat in vec3 centerVC;
flat in mat3 toUnit;
'''

_BALL_HIT = '''
  vec3 start = cameraParallel != 0 ? screenVC : vec3(0.0);
  vec3 ray = cameraParallel != 0 ? vec3(0.0, 0.0, -1.0) : normalize(screenVC);
  vec3 p = toUnit * (start - centerVC), d = toUnit * ray;
  float dd = dot(d, d), pd = dot(p, d);
  float off = dot(p, p) - pd * pd / dd;  // square of the distance from the centre, in balls of radius one
  float across = sqrt(max(off, 0.0));
  float pixel = fwidth(across);
  if (off > 1.0) discard;
  float half_chord = sqrt((1.0 - off) / dd);
  float at = -pd / dd - half_chord;
  vec4 vertexVC = vec4(start + at * ray, 1.0);
  vec3 ballNormal = normalize(transpose(toUnit) * (p + at * d));
  float onOutline = clamp((outline * pixel - (1.0 - across)) / pixel + 0.5, 0.0, 1.0) * clamp(1.5 - 8.0 * pixel, 0.0, 1.0);
#if CUTS > 0
  if (cutAway(vertexVC.xyz, -1))
  {
    int cap;
    vec3 far = vertexVC.xyz + 2.0 * half_chord * ray;
    if (cutAway(far, -1)) discard;
    float t = leave(far, -ray, cap);
    if (cap < 0) discard;
    vertexVC.xyz = far - t * ray;
    ballNormal = cutPlanes[cap].xyz;
    onOutline = 0.0;
  }
#endif
'''


def shade_faces(actor, cuts):
    """Lights the polygons of an actor and cuts them."""
    property = _start(actor, cuts)
    # VTK computes the normals of flat faces from derivatives of positions, before depths: positions change after that.
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True, _DECLARATIONS % {'cuts': cuts}, False)
    property.AddFragmentShaderReplacement('//VTK::DepthPeeling::PreColor', True, _FACE_CUT, False)
    property.AddFragmentShaderReplacement('//VTK::Light::Impl', False, _FACE_LIGHT, False)


def shade_lines(actor, cuts):
    """Cuts the lines of an actor; they are not lit."""
    property = _start(actor, cuts)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True, _DECLARATIONS % {'cuts': cuts}, False)
    if cuts:
        property.AddFragmentShaderReplacement('//VTK::DepthPeeling::PreColor', True, _LINE_CUT, False)


def shade_balls(actor, cuts):
    """Makes ellipsoids out of the triangles of an actor (see balls.py), lights and cuts them."""
    property = _start(actor, cuts)
    property.AddVertexShaderReplacement('//VTK::PositionVC::Dec', True, _BALL_VERTEX_DECLARATIONS, False)
    property.AddVertexShaderReplacement('//VTK::Camera::Dec', True,
                                        'uniform mat4 MCDCMatrix;\nuniform mat4 MCVCMatrix;\n', False)
    property.AddVertexShaderReplacement('//VTK::PositionVC::Impl', True, _BALL_VERTEX, False)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Dec', True,
                                          (_DECLARATIONS % {'cuts': cuts}).replace('//VTK::PositionVC::Dec', '')
                                          + _BALL_DECLARATIONS, False)
    property.AddFragmentShaderReplacement('//VTK::PositionVC::Impl', True, _BALL_HIT, False)
    property.AddFragmentShaderReplacement('//VTK::Depth::Impl', True, '  gl_FragDepth = depthOf(vertexVC.xyz);\n', False)
    property.AddFragmentShaderReplacement('//VTK::Normal::Dec', True, '', False)
    property.AddFragmentShaderReplacement('//VTK::Normal::Impl', True, '  vec3 normalVCVSOutput = ballNormal;\n', False)
    property.AddFragmentShaderReplacement(
        '//VTK::Light::Impl', False, '  gl_FragData[0] = vec4(mix(lit(diffuseColor, normalVCVSOutput), '
        'vec3(%g, %g, %g), onOutline), mix(opacity, max(opacity, 0.5), onOutline));\n//VTK::Light::Impl' % EDGE_COLOUR, False)


def _start(actor, cuts):
    property = actor.GetShaderProperty()
    property.ClearAllShaderReplacements()
    return property


def set_uniforms(actors, camera, aspect, cuts, outline):
    """What the pieces of GLSL need to know of the camera, for the next rendering."""
    view = _matrix(camera.GetViewTransformMatrix())
    projection = camera.GetProjectionTransformMatrix(aspect, -1, 1)
    light = light_direction(view[:3, :3])
    upwards = view[:3, 2]
    planes = [(*(view[:3, :3] @ cut.normal), cut.position + view[:3, :3] @ cut.normal @ view[:3, 3]) for cut in cuts]
    for actor in actors:
        uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
        uniforms.SetUniform3f('toLight', list(light))
        uniforms.SetUniform3f('upwards', list(upwards))
        uniforms.SetUniformMatrix4x4('projection', [projection.GetElement(i, j) for j in range(4) for i in range(4)])
        uniforms.SetUniformf('outline', outline)
        if planes:
            uniforms.SetUniform4fv('cutPlanes', [list(plane) for plane in planes])


def light_direction(turn):
    """Direction to the light in the axes of the viewer, who has turned by a matrix; always from above."""
    light = LIGHT * (1, 1, -1)
    light = light / np.linalg.norm(light)
    upwards = turn[:, 2]
    if light @ upwards < 0.3:
        light = light + (0.6 + 0.3 - min(light @ upwards, 0.3)) * upwards
    return light / np.linalg.norm(light)


def _matrix(vtk_matrix):
    return np.array([[vtk_matrix.GetElement(i, j) for j in range(4)] for i in range(4)])
