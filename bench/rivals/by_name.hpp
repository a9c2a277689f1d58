/* by_name.hpp — sums by name, for the rivals that are libraries of C++ */
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

using times = std::unordered_map<std::string, double>;

inline void print_longest(const times &by_name)
{
    std::vector<std::pair<double, std::string>> rows;

    for (const auto &[name, time] : by_name)
        rows.emplace_back(time, name);
    std::sort(rows.rbegin(), rows.rend());
    for (size_t i = 0; i < rows.size() && i < 20; i++)
        std::printf("%14.3f %s\n", rows[i].first, rows[i].second.c_str());
}
