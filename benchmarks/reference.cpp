// The scenes of test/benchscene, stepped by C++ Box2D 2.4: what stepbench
// is compared with.
//
//   g++ -O2 reference.cpp -o reference -lbox2d      (Debian: libbox2d-dev)
//   ./reference SCENE [STEPS=300]
//
// Prints one line of JSON with the keys of stepbench that make sense here.
// Gravity (0,-10), 1/60 s, 8 velocity and 3 position iterations, sleeping off,
// continuous collision on, density 1, friction 0.6.
#include <box2d/box2d.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

b2World world(b2Vec2(0, -10));
std::vector<b2Body*> bodies;

b2Body* place(b2BodyType type, double x, double y) {
  b2BodyDef def;
  def.type = type;
  def.position.Set(float(x), float(y));
  bodies.push_back(world.CreateBody(&def));
  return bodies.back();
}

void attach(b2Body* body, const b2Shape& shape, bool loner = false) {
  b2FixtureDef def;
  def.shape = &shape;
  def.density = 1;
  def.friction = 0.6f;
  if (loner) {
    def.filter.categoryBits = 2;
    def.filter.maskBits = 0xFFFD;
  }
  body->CreateFixture(&def);
}

b2Body* box(b2BodyType type, double x, double y, double hx, double hy) {
  b2PolygonShape shape;
  shape.SetAsBox(float(hx), float(hy));
  b2Body* body = place(type, x, y);
  attach(body, shape);
  return body;
}

void pyramid() {
  const int base = 40;
  const double h = 0.5;
  box(b2_staticBody, 0, -1, 100, 1);
  for (int row = 0; row < base; ++row)
    for (int k = row; k < base; ++k)
      box(b2_dynamicBody, (row + 1) * h + 2 * (k - row) * h - h * base, (2 * row + 1) * h, h, h);
}

// The upper 24 bits of a linear congruential generator, in [0,1).
double draw() {
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}

void fall(int count) {
  const int columns = count == 1000 ? 40 : count == 5000 ? 100 : 125;
  const double width = columns * 0.6 + 1, height = double(count / columns) * 0.6 + 10;
  box(b2_staticBody, 0, -0.5, width / 2 + 1, 0.5);
  box(b2_staticBody, -width / 2 - 0.5, height / 2, 0.5, height / 2);
  box(b2_staticBody, width / 2 + 0.5, height / 2, 0.5, height / 2);
  for (int i = 0; i < count; ++i)
    box(b2_dynamicBody, -width / 2 + 0.8 + (i % columns) * 0.6 + (draw() - 0.5) * 0.08,
        0.5 + double(i / columns) * 0.6, 0.25, 0.25);
}

void tumbler() {
  b2Body* drum = place(b2_kinematicBody, 0, 10);
  drum->SetAngularVelocity(b2_pi / 180 * 25);
  const float walls[4][4] = {{10, 0, 0.5f, 10}, {-10, 0, 0.5f, 10}, {0, 10, 10, 0.5f}, {0, -10, 10, 0.5f}};
  for (const auto& w : walls) {
    b2PolygonShape shape;
    shape.SetAsBox(w[2], w[3], b2Vec2(w[0], w[1]), 0);
    attach(drum, shape);
  }
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j)
      box(b2_dynamicBody, -6.4 + 0.4 * j, 3.6 + 0.4 * i, 0.125, 0.125);
}

void link(b2Body* a, b2Body* b, b2Vec2 onA, b2Vec2 onB) {
  b2RevoluteJointDef def;
  def.bodyA = a;
  def.bodyB = b;
  def.localAnchorA = onA;
  def.localAnchorB = onB;
  world.CreateJoint(&def);
}

void jointgrid() {
  const int n = 20;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      const bool fixed = i == 0 && k >= n / 2 - 3 && k <= n / 2 + 3;
      b2CircleShape circle;
      circle.m_radius = 0.4f;
      attach(place(fixed ? b2_staticBody : b2_dynamicBody, k, -i), circle, true);
    }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      b2Body* body = bodies[k * n + i];
      if (i > 0) link(bodies[k * n + i - 1], body, {0, -0.5f}, {0, 0.5f});
      if (k > 0) link(bodies[(k - 1) * n + i], body, {0.5f, 0}, {-0.5f, 0});
    }
}

void islands() {
  const int piles = 200;
  const double spacing = 6, h = 0.25;
  box(b2_staticBody, 0, -0.5, piles * spacing / 2 + spacing, 0.5);
  for (int p = 0; p < piles; ++p)
    for (int row = 0; row < 5; ++row)
      for (int k = 0; k < 7 - row; ++k)
        box(b2_dynamicBody, (p - (piles - 1) / 2.0) * spacing + (k - (6 - row) / 2.0) * 2.1 * h,
            h + row * 2.02 * h, h, h);
}

double cpuMs() {
  rusage r;
  getrusage(RUSAGE_SELF, &r);
  return 1e3 * (r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-3 * (r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

}  // namespace

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "fall1000";
  const int steps = argc > 2 ? atoi(argv[2]) : 300;
  world.SetAllowSleeping(false);
  if (!strcmp(name, "pyramid")) pyramid();
  else if (!strncmp(name, "fall", 4) && atoi(name + 4) > 0) fall(atoi(name + 4));
  else if (!strcmp(name, "tumbler")) tumbler();
  else if (!strcmp(name, "jointgrid")) jointgrid();
  else if (!strcmp(name, "islands")) islands();
  else {
    fprintf(stderr, "unknown scene %s\n", name);
    return 2;
  }

  using clock = std::chrono::steady_clock;
  std::vector<double> ms;
  const double before = cpuMs();
  for (int i = 0; i < steps; ++i) {
    const auto start = clock::now();
    world.Step(1.0f / 60.0f, 8, 3);
    ms.push_back(std::chrono::duration<double, std::milli>(clock::now() - start).count());
  }
  const double cpu = (cpuMs() - before) / steps;
  std::sort(ms.begin(), ms.end());
  double sum = 0;
  for (b2Body* b : bodies) sum += b->GetPosition().y;
  printf("{\"engine\":\"C++ Box2D 2.4\",\"scene\":\"%s\",\"steps\":%d,\"cpu_ms\":%.4f,\"median_ms\":%.4f,\"p99_ms\":%.4f,\"sum_y\":%.3f}\n",
         name, steps, cpu, ms[ms.size() / 2],
         ms[ms.size() * 99 / 100], sum);
}
