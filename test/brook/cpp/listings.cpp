// The shapes of the C++ listings of the Stream Computing User Guide, 2.6 to 2.18, in programs of our own. The first argument says which.
#include "kernels.h"
#include "legacy.h"
#include <brook/brook.hpp>
#include <iostream>
#include <string>
#include <vector>

using brook::Stream;

// 2.6.2: streams are made where they are needed, and handed on.
static Stream<double> *addVectors(double *a, double *b, unsigned length) {
  Stream<double> s(1, &length), t(1, &length);
  Stream<double> *sum = new Stream<double>(1, &length);
  s.read(a);
  t.read(b);
  add(s, t, *sum);
  if (sum->error()) {
    delete sum;
    return NULL;
  }
  return sum;
}

static int dynamic() {
  double a[5] = {1, 2, 3, 4, 5}, b[5] = {10, 20, 30, 40, 50}, c[5];
  Stream<double> *sum = addVectors(a, b, 5);
  if (!sum) return 1;
  Stream<double> copy = *sum;
  delete sum;
  copy.write(c);
  for (double one : c) std::cout << one << ' ';
  std::cout << '\n';
  return 0;
}

// 2.7.1: errors go with the data, and are asked for at its end.
static int errors() {
  unsigned none = 0, four = 4;
  Stream<float> wrong(1, &none), right(1, &four), after(1, &four);
  twice(wrong, after);
  std::cout << (after.error() != brook::BR_NO_ERROR) << after.error() << '\n';
  std::cout << (std::string(after.errorLog()).find('\n') != std::string::npos) << '\n';
  std::cout << (wrong.error() == brook::BR_ERROR_DECLARATION) << wrong.error() << '\n';
  right.read(NULL);
  std::cout << (right.error() == brook::BR_ERROR_INVALID_PARAMATER) << '\n';
  float data[4] = {1, 2, 3, 4};
  right.read(data);
  twice(right, after);
  after.write(data);
  std::cout << after.error() << ' ' << data[3] << '\n';
  return 0;
}

// 2.7.1 and 2.7.3: parts of streams, by arrays and by vectors; assign.
static int domains() {
  unsigned size[2] = {4, 3}, start[2] = {1, 1}, end[2] = {3, 3};
  Stream<float> all(2, size), other(2, size);
  float data[12];
  for (int i = 0; i < 12; i++) data[i] = static_cast<float>(i);
  all.read(data);
  float part[4];
  all.domain(start, end).write(part);
  std::cout << part[0] << ' ' << part[1] << ' ' << part[2] << ' ' << part[3] << '\n';
  Stream<float> corner = all.domain(int2(0, 0), int2(2, 2));
  twice(all.domain(int2(2, 1), int2(4, 3)), corner);
  other.assign(all);
  streamWrite(other, data);
  std::cout << data[0] << ' ' << data[1] << ' ' << data[4] << ' ' << data[5] << ' ' << data[11] << '\n';
  return 0;
}

// 2.8: where a kernel runs.
static int scatter() {
  unsigned size = 8;
  float places[8], values[8], out[8];
  for (int i = 0; i < 8; i++) {
    places[i] = static_cast<float>(7 - i);
    values[i] = static_cast<float>(i + 1);
    out[i] = -1;
  }
  Stream<float> index(1, &size), a(1, &size), b(1, &size);
  index.read(places);
  a.read(values);
  b.read(out);
  put.domainOffset(uint4(5, 0, 0, 0));
  put.domainSize(uint4(3, 1, 1, 1));
  put(index, a, b);
  b.write(out);
  for (float one : out) std::cout << one << ' ';
  put(index, a, b);
  b.write(out);
  std::cout << "| " << out[0] << ' ' << out[7] << '\n';
  return 0;
}

// 2.9: instance() in place of indexof.
static int matrix() {
  unsigned size[2] = {3, 3};
  float a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, c[9];
  Stream<float> as(2, size), bs(2, size), cs(2, size);
  as.read(a);
  bs.read(b);
  product(3, as, bs, cs);
  cs.write(c);
  for (float one : c) std::cout << one << ' ';
  std::cout << '\n';
  return 0;
}

// 2.10: a sample as a class.
class Search {
public:
  explicit Search(unsigned length) : _length(length), _sorted(length) {
    for (unsigned i = 0; i < length; i++) _sorted[i] = static_cast<float>(3 * i);
  }
  int run(const std::vector<float> &wanted, std::vector<float> &places) {
    unsigned count = static_cast<unsigned>(wanted.size());
    ::brook::Stream<float> keys(1, &count), array(1, &_length), found(1, &count);
    array.read(_sorted.data());
    keys.read(wanted.data());
    find(keys, array, found, static_cast<float>(_length), 16);
    found.write(places.data());
    if (found.error()) {
      std::cout << found.errorLog() << std::endl;
      return -1;
    }
    return 0;
  }

private:
  unsigned _length;
  std::vector<float> _sorted;
};

static int search() {
  Search all(1000);
  std::vector<float> wanted = {0, 300, 301, 2997}, places(4);
  int result = all.run(wanted, places);
  for (float one : places) std::cout << one << ' ';
  std::cout << '\n';
  return result;
}

// 2.13: work of the host between asking and waiting; a pipeline of tiles.
static int asynchronous() {
  const unsigned parts = 4;
  unsigned size = 1000;
  std::vector<float> in[parts], out[parts];
  Stream<float> **ins = new Stream<float> *[parts], **outs = new Stream<float> *[parts];
  for (unsigned i = 0; i < parts; i++) {
    in[i].assign(size, static_cast<float>(i + 1));
    out[i].resize(size);
    ins[i] = new Stream<float>(1, &size);
    outs[i] = new Stream<float>(1, &size);
  }
  ins[0]->read(in[0].data());
  for (unsigned i = 0; i < parts; i++) {
    twice(*ins[i], *outs[i]);
    if (i + 1 < parts) ins[i + 1]->read(in[i + 1].data());
    outs[i]->write(out[i].data(), "async");
  }
  long work = 0;
  while (!outs[0]->isSync()) work++;
  float sum = 0;
  for (unsigned i = 0; i < parts; i++) {
    outs[i]->finish();
    sum += out[i][0] + out[i][size - 1];
    delete ins[i];
    delete outs[i];
  }
  delete[] ins;
  delete[] outs;
  std::cout << sum << ' ' << (work >= 0) << '\n';
  return 0;
}

// 2.14: memory of the program's own without a copy; two flags at once.
static int pinned() {
  unsigned size[2] = {64, 16};
  float *memory = static_cast<float *>(memalign(256, size[0] * size[1] * sizeof(float)));
  for (unsigned i = 0; i < size[0] * size[1]; i++) memory[i] = static_cast<float>(i);
  Stream<float> a(2, size), b(2, size);
  a.read(memory, "nocopy");
  while (!a.isSync()) continue;
  twice(a, b);
  while (!b.isSync()) continue;
  b.write(memory, "async nocopy");
  b.finish();
  std::cout << memory[1023] << ' ' << reinterpret_cast<size_t>(memory) % 256 << '\n';
  free(memory);
  return 0;
}

// 2.16.3: the same kernel on every device, one after another; on several at once.
static int devices() {
  unsigned found = 0, used = 7, before = 7, none = 7;
  brook::Device *list = brook::getDevices("all", &found);
  unsigned size = 16;
  unsigned right = 0;
  for (unsigned i = 0; i < found; i++) {
    brook::useDevices(list + i, 1, NULL);
    float out[16];
    Stream<float> a(1, &size);
    count(a);
    a.write(out);
    if (out[15] == 15 && a.getDevices(&used) == list + i && used == 1) right++;
  }
  brook::Device *last = brook::useDevices(NULL, 0, &before);
  unsigned cal = 0;
  brook::Device *several = brook::getDevices("cal", &cal);
  Stream<float> **all = new Stream<float> *[cal];
  for (unsigned i = 0; i < cal; i++) {
    brook::useDevices(several + i, 1);
    all[i] = new Stream<float>(1, &size);
  }
  for (unsigned i = 0; i < cal; i++) {
    brook::useDevices(all[i]->getDevices(&used), used);
    count(*all[i]);
  }
  unsigned good = 0;
  for (unsigned i = 0; i < cal; i++) {
    float out[16] = {0};
    all[i]->write(out);
    good += out[7] == 7;
    delete all[i];
  }
  delete[] all;
  std::cout << (right == found) << (found > 0) << (last == list + found - 1) << before << (good == cal) << '\n';
  std::cout << several[0].getType() << " [" << several[0].getBindings() << "] "
            << (brook::getDevices("d3d", &none) == NULL) << none << '\n';
  // A stream is on the device that was in use when it was made.
  if (found > 1) {
    brook::useDevices(list, 1);
    Stream<float> first(1, &size);
    brook::useDevices(list + 1, 1);
    count(first);
    std::cout << (first.error() != brook::BR_NO_ERROR) << '\n';
  }
  return 0;
}

// 2.17.7: threads of a group share memory.
static int shared() {
  unsigned size[2] = {128, 4};
  const unsigned total = 128 * 4;
  std::vector<float4> a(total), b(total), c(total);
  for (unsigned i = 0; i < total; i++) {
    a[i] = float4(float(i), 0, 1, 0);
    b[i] = float4(0, float(i), 1, 2);
  }
  Stream<float4> as(2, size), bs(2, size), cs(2, size);
  as.read(a.data());
  bs.read(b.data());
  share(as, bs, cs);
  if (cs.error()) std::cout << cs.errorLog();
  cs.write(c.data());
  unsigned right = 0;
  for (unsigned i = 0; i < total; i++) right += c[i].x == i && c[i].y == i && c[i].z == 2 && c[i].w == 2;
  std::cout << right << '\n';
  return 0;
}

// 2.18.2: there is no Direct3D to share with, which the program is told.
static int sharing() {
  unsigned count = 0, size = 4;
  brook::Device *list = brook::getDevices("cal", &count);
  std::string bindings(list[0].getBindings());
  std::cout << (bindings.find("d3d9") == std::string::npos);
  brook::useDevices(list, 1);
  Stream<float> out(1, &size, "d3d9");
  std::cout << (out.error() == brook::BR_ERROR_DECLARATION);
  out.setProperty("d3dDevice", NULL);
  std::cout << (out.error() == brook::BR_ERROR_INVALID_PARAMATER) << '\n';
  return 0;
}

// A stream that is assigned when its size is known, as members of classes are.
static int later() {
  Stream<float> a(NULL), b = a;
  unsigned size = 3;
  float data[3] = {1, 2, 3};
  std::cout << a.errorLog();
  a = Stream<float>(1, &size);
  b = a;
  a.read(data);
  a = Stream<float>(NULL);
  data[2] = 0;
  b.write(data);
  std::cout << data[2] << '\n';
  return 0;
}

int main(int argc, char **argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  if (which == "dynamic") return dynamic();
  if (which == "errors") return errors();
  if (which == "domains") return domains();
  if (which == "scatter") return scatter();
  if (which == "matrix") return matrix();
  if (which == "search") return search();
  if (which == "asynchronous") return asynchronous();
  if (which == "pinned") return pinned();
  if (which == "devices") return devices();
  if (which == "shared") return shared();
  if (which == "sharing") return sharing();
  if (which == "later") return later();
  if (which == "legacy") return legacy(0);
  return 2;
}
