// Under mpirun: tests/input/test_program.py.
#include "core/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace solfec::terminal_test {
namespace {

TEST(Terminal, Columns) {
  int master, terminal;
  winsize size = {24, 72, 0, 0};
  if (openpty(&master, &terminal, nullptr, nullptr, &size) != 0) GTEST_SKIP();
  EXPECT_EQ(terminal_columns(terminal), 72);
  size.ws_col = 0;
  ioctl(terminal, TIOCSWINSZ, &size);
  EXPECT_EQ(terminal_columns(terminal), kAnyColumns);
  close(terminal);
  close(master);
}

TEST(Terminal, NoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int nowhere = open("/dev/null", O_WRONLY);
  EXPECT_EQ(terminal_columns(ends[1]), 0);
  EXPECT_EQ(terminal_columns(nowhere), 0);
  EXPECT_EQ(terminal_columns(-1), 0);
  close(nowhere);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace solfec::terminal_test
